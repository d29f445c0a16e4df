//! The allocator of the GNU C library, mallopt(3) and malloc_trim(3). Any other is left as it is.

/// Large blocks are mapped by themselves, whatever was freed before, and there are few heaps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn settle() {
    /// From so many bytes on a block is mapped by itself.
    const LARGE: libc::c_int = 256 << 10;
    /// Heaps; otherwise up to eight for each CPU.
    const HEAPS: libc::c_int = 2;
    // SAFETY: mallopt is given two numbers, and holds the allocator's own lock while it keeps them. What it says of its
    // success changes nothing: without it the allocator works as it always does.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS);
    }
}

/// Whole pages that lie free go back to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn give_back() {
    // SAFETY: malloc_trim is given a number; it holds the lock of each heap while it is there, and touches only what is
    // free.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn settle() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn give_back() {}
