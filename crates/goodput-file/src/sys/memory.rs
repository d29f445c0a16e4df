//! Aligned buffers for direct I/O.

use super::page_size;
use std::io;

#[derive(Debug)]
pub(crate) struct AlignedBuffer {
    at: std::ptr::NonNull<u8>,
    layout: std::alloc::Layout,
}

// SAFETY: it owns its memory alone, as a Vec does.
unsafe impl Send for AlignedBuffer {}

impl AlignedBuffer {
    pub(crate) fn new(length: usize, alignment: usize) -> io::Result<AlignedBuffer> {
        let refused = || io::Error::from_raw_os_error(libc::ENOMEM);
        let layout = std::alloc::Layout::from_size_align(length.max(1), alignment).map_err(|_| refused())?;
        // SAFETY: the layout is not of size zero.
        let at = std::ptr::NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) }).ok_or_else(refused)?;
        let mut made = AlignedBuffer { at, layout };
        // Faults in the pages: zero pages are allocated on the first write, which must precede the window.
        for byte in made.bytes_mut().iter_mut().step_by(page_size() as usize) {
            // SAFETY: a valid place for one byte; volatile so that writing zero over zero is not left out.
            unsafe { std::ptr::write_volatile(byte, 0) };
        }
        Ok(made)
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: that many initialised bytes that we own, borrowed as long as we are.
        unsafe { std::slice::from_raw_parts_mut(self.at.as_ptr(), self.layout.size()) }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, freed once.
        unsafe { std::alloc::dealloc(self.at.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_memory_is_zero_and_writable() {
        for (length, alignment) in [(1, 4096), (4096, 4096), (1 << 20, 512)] {
            let mut memory = AlignedBuffer::new(length, alignment).unwrap();
            let bytes = memory.bytes_mut();
            assert_eq!(bytes.as_ptr() as usize % alignment, 0);
            assert!(bytes.len() == length && bytes.iter().all(|b| *b == 0));
            bytes.fill(7);
            assert!(memory.bytes_mut().iter().all(|b| *b == 7));
        }
        assert!(AlignedBuffer::new(usize::MAX / 2, 4096).is_err());
    }
}
