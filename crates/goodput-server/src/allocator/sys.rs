//! glibc's allocator settings, mallopt(3) and malloc_trim(3); no effect on other allocators.

/// Fixes the mmap threshold, and limits the heaps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn configure_allocator() {
    const LARGE: libc::c_int = 256 << 10;
    /// The default is up to eight per CPU.
    const HEAPS: libc::c_int = 2;
    // SAFETY: mallopt takes two numbers and its own lock. A failure leaves the defaults.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn trim_heap() {
    // SAFETY: malloc_trim takes a number, locks each heap, and touches only free memory.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn configure_allocator() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn trim_heap() {}
