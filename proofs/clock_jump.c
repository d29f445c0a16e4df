// A wall clock that jumps, for proofs/soak: LD_PRELOAD this; SOAK_CLOCK names a file of two 64-bit integers, the
// nanoseconds to add to CLOCK_REALTIME and the number of readings. Monotonic clocks, which the kernel also uses for
// timeouts, and the times of files stay.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct { long long offset_ns, readings; } none, *jump = &none;
static int (*kernel)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    kernel = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *name = getenv("SOAK_CLOCK");
    int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    void *at = file < 0 ? MAP_FAILED : mmap(0, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) jump = at;
    if (file >= 0) close(file);
}

int clock_gettime(clockid_t id, struct timespec *t) {
    int failed = kernel ? kernel(id, t) : (int)syscall(SYS_clock_gettime, id, t);
    if (failed || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return failed;
    __atomic_add_fetch(&jump->readings, 1, __ATOMIC_RELAXED);
    long long ns = t->tv_sec * 1000000000LL + t->tv_nsec + __atomic_load_n(&jump->offset_ns, __ATOMIC_RELAXED);
    t->tv_sec = ns / 1000000000LL;
    t->tv_nsec = ns % 1000000000LL;
    return 0;
}

int gettimeofday(struct timeval *t, void *zone) {
    (void)zone;
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return failed;
}
