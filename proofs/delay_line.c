// A delay line, for proofs/why: creates the tun interface NAME and returns each packet MICROSECONDS after it was sent
// there. Packets of many segments stay whole (virtio_net_hdr). It says "ready" and ends when it is killed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { RING = 128 << 20, LARGEST = 1 << 17 };

struct packet { int64_t due, length; };

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int failed(const char *what) {
    perror(what);
    return 1;
}

int main(int count, char **words) {
    if (count != 3) return failed("usage: delay_line NAME MICROSECONDS");
    const int64_t delay = atoll(words[2]) * 1000;
    int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    struct ifreq asked = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
    strncpy(asked.ifr_name, words[1], IFNAMSIZ - 1);
    if (tun < 0 || ioctl(tun, TUNSETIFF, &asked)) return failed("tun");
    if (ioctl(tun, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6)) return failed("offloads");
    char *ring = mmap(0, RING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED) return failed("memory");
    // On time without a busy loop.
    prctl(PR_SET_TIMERSLACK, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 50})) return failed("priority");
    puts("ready");
    fflush(stdout);
    // Offsets only grow; each packet begins where LARGEST bytes fit before the ring's end.
    int64_t first = 0, last = 0;
    for (;;) {
        int64_t at = now();
        while (first < last) {
            struct packet *next = (struct packet *)(ring + first % RING);
            if (next->due > at) break;
            if (next->length > 0 && write(tun, next + 1, next->length) < 0 && errno == EAGAIN) break;
            first += next->length < 0 ? -next->length : (int64_t)sizeof *next + ((next->length + 15) & ~15);
        }
        int64_t rest = RING - last % RING;
        int full = last - first > RING - 2 * LARGEST;
        if (!full && rest < LARGEST) {
            *(struct packet *)(ring + last % RING) = (struct packet){0, -rest};
            last += rest;
        }
        struct packet *free = (struct packet *)(ring + last % RING);
        ssize_t length = full ? -1 : read(tun, free + 1, LARGEST - sizeof *free);
        if (length > 0) {
            *free = (struct packet){now() + delay, length};
            last += sizeof *free + ((length + 15) & ~15);
            continue;
        }
        int64_t wait = first < last ? ((struct packet *)(ring + first % RING))->due - now() : 1000000000;
        if (wait <= 0) continue;
        struct timespec until = {wait / 1000000000, wait % 1000000000};
        ppoll(&(struct pollfd){tun, full ? 0 : POLLIN, 0}, 1, &until, 0);
    }
}
