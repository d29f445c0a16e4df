//! The buffer of one read or write.

/// Memory of a fixed length that begins at a page, so that a local file can be read into it or written from it
/// directly. Owned by its lane or, while it is under way, by the connection.
#[derive(Debug)]
pub(crate) struct Block {
    memory: Vec<u8>,
    from: usize,
    length: usize,
}

/// Alignment that direct access to any local disk is content with.
const PAGE: usize = 4096;

impl Block {
    pub(crate) fn new(length: usize) -> Block {
        let memory = vec![0; length + PAGE];
        let from = memory.as_ptr().align_offset(PAGE).min(PAGE);
        Block { memory, from, length }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[self.from..self.from + self.length]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.from..self.from + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_begins_at_a_page_and_stays_there_when_moved() {
        let mut block = Block::new(10_000);
        block.bytes_mut().fill(7);
        let moved = [block];
        assert_eq!(moved[0].bytes().as_ptr() as usize % PAGE, 0);
        assert_eq!(moved[0].bytes(), vec![7; 10_000]);
    }
}
