/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The smallest program that rig/sim/ takes for a QEMU: what rig/sim/symbols.h lists, a main loop,
 * one vCPU whose guest does nothing but disk requests. So millions of them go through the
 * library's own code, lockstep and log included, in minutes.
 *
 *	LD_PRELOAD=iorig-sim.so IORIG_SIM=conf qemu-system-mini REQUESTS STEP-NS IMAGE...
 *
 * STEP-NS is how long the guest computes before it looks for more to do. Other than in QEMU no timer
 * cuts it short: where it is longer than a request takes, many come with each change of threads.
 * Built with -DMAIN_JUMPS it does not export what the vCPU's thread needs to make jumps itself, as an
 * older QEMU.
 *
 * It prints one line: requests done, guest ns, the process's peak memory in KiB, how many threads
 * and descriptors it has once it runs, and how many at its end.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define DEPTH	 16		/* requests in flight for each image */
#define IMAGES	 4
#define BLOCK	 4096
#define BLOCKS	 8192		/* of an image */
#define EXPORT	 __attribute__((visibility("default")))

/* Lies in the library's block of bytes. */
struct timer {
	int64_t at;		/* INT64_MAX: off */
	void (*cb)(void *);
	void *opaque;
	struct timer *next;
};

struct ring {			/* as the kernel lays it out */
	unsigned id, nr;
	atomic_uint head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event events[];
};

struct slot {
	struct iocb cb;
	struct iovec vec;
	char *buf;
	bool busy;
};

EXPORT bool qtest_allowed;

static pthread_mutex_t bql = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t halt_cond = PTHREAD_COND_INITIALIZER;
static pthread_cond_t cpu_cond = PTHREAD_COND_INITIALIZER;
static _Atomic int64_t clock_now;
static struct timer *timers;
static bool idle, created, started, quit;
static bool interrupt = true;	/* the guest has something to look at */
static int notify_fd, resfd;
static int monitor_fd;		/* another thread's, which has a list of timers too */
static struct ring *ring;
static struct slot slots[IMAGES * DEPTH];
static int fds[IMAGES], n_images;
static long left, done, in_flight, step;
static uint64_t random_state = 0x9e3779b97f4a7c15;

static int (*aio_setup)(int, void **);
static int (*aio_submit)(void *, long, struct iocb **);
static int (*aio_destroy)(void *);

EXPORT void qemu_init(void);
EXPORT int64_t qemu_clock_get_ns(int clock);
EXPORT void timer_init_full(void *t, void *group, int clock, int scale, int attributes,
			    void (*cb)(void *), void *opaque);
EXPORT void timer_mod_ns(void *t, int64_t at);
EXPORT void timer_del(void *t);

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "mini-qemu: %s: %s\n", what, strerror(errno));
	exit(1);
}

void qemu_init(void)
{
}

int64_t qemu_clock_get_ns(int clock)
{
	(void)clock;
	return atomic_load(&clock_now);
}

void timer_init_full(void *t, void *group, int clock, int scale, int attributes,
		     void (*cb)(void *), void *opaque)
{
	struct timer *timer = t;

	(void)group;
	(void)clock;
	(void)scale;
	(void)attributes;
	*timer = (struct timer){ INT64_MAX, cb, opaque, timers };
	timers = timer;
}

void timer_mod_ns(void *t, int64_t at)
{
	((struct timer *)t)->at = at;
}

void timer_del(void *t)
{
	((struct timer *)t)->at = INT64_MAX;
}

static int64_t next_deadline(void)
{
	int64_t at = INT64_MAX;

	for (struct timer *t = timers; t; t = t->next)
		if (t->at < at)
			at = t->at;
	return at;
}

static void run_timers(void)
{
	for (struct timer *t = timers; t; t = t->next) {
		if (t->at > atomic_load(&clock_now))
			continue;
		t->at = INT64_MAX;
		t->cb(t->opaque);
	}
}

static void notify(void)
{
	const uint64_t one = 1;

	if (write(notify_fd, &one, sizeof(one)) != sizeof(one))
		die("eventfd");
}

static void drain(int fd)
{
	uint64_t n;

	if (read(fd, &n, sizeof(n)) < 0 && errno != EAGAIN)
		die("eventfd");
}

#ifdef MAIN_JUMPS
#define JUMPS __attribute__((visibility("hidden")))
#else
#define JUMPS EXPORT
#endif
JUMPS void qemu_clock_notify(int clock);
JUMPS bool qemu_clock_run_timers(int clock);
JUMPS int64_t qemu_clock_deadline_ns_all(int clock, int attributes);
JUMPS void icount_start_warp_timer(void);

/* Wakes the vCPU, and whoever else has timers. */
void qemu_clock_notify(int clock)
{
	const uint64_t one = 1;

	(void)clock;
	pthread_cond_broadcast(&halt_cond);
	notify();
	if (write(monitor_fd, &one, sizeof(one)) != sizeof(one))
		die("eventfd");
}

bool qemu_clock_run_timers(int clock)
{
	(void)clock;
	run_timers();
	return true;
}

int64_t qemu_clock_deadline_ns_all(int clock, int attributes)
{
	int64_t at = next_deadline(), now = atomic_load(&clock_now);

	(void)clock;
	(void)attributes;
	return at == INT64_MAX ? -1 : at > now ? at - now : 0;
}

void icount_start_warp_timer(void)
{
	int64_t wait = qemu_clock_deadline_ns_all(0, -1);

	if (qtest_allowed || !idle || wait < 0)
		return;
	atomic_fetch_add(&clock_now, wait);
	qemu_clock_notify(0);
}

static void *monitor(void *unused)
{
	for (;;) {
		struct pollfd polled = { monitor_fd, POLLIN, 0 };

		poll(&polled, 1, -1);
		drain(monitor_fd);
	}
	return unused;
}

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Reads, writes, and now and then a flush. */
static void fill(struct slot *s, int fd)
{
	uint64_t r = draw();

	s->vec = (struct iovec){ s->buf, BLOCK };
	s->cb = (struct iocb){
		.aio_data = (uintptr_t)s,
		.aio_fildes = (uint32_t)fd,
		.aio_flags = IOCB_FLAG_RESFD,
		.aio_resfd = (uint32_t)resfd,
	};
	if (r % 64 == 0) {
		s->cb.aio_lio_opcode = IOCB_CMD_FDSYNC;
		return;
	}
	s->cb.aio_lio_opcode = r % 2 ? IOCB_CMD_PREADV : IOCB_CMD_PWRITEV;
	s->cb.aio_buf = (uintptr_t)&s->vec;
	s->cb.aio_nbytes = 1;
	s->cb.aio_offset = (int64_t)(r / 64 % BLOCKS) * BLOCK;
}

static void submit_more(void)
{
	for (int i = 0; i < n_images * DEPTH && left > 0; i++) {
		struct iocb *cb = &slots[i].cb;

		if (slots[i].busy)
			continue;
		fill(&slots[i], fds[i / DEPTH]);
		if (aio_submit(ring, 1, &cb) != 1)
			die("io_submit");
		slots[i].busy = true;
		in_flight++;
		left--;
	}
}

static void *vcpu(void *unused)
{
	pthread_setname_np(pthread_self(), "ALL CPUs/TCG");
	pthread_mutex_lock(&bql);
	created = true;
	pthread_cond_signal(&cpu_cond);
	while (!started)
		pthread_cond_wait(&halt_cond, &bql);
	while (!quit) {
		idle = true;
		notify();
		while (!interrupt && !quit)
			pthread_cond_wait(&halt_cond, &bql);
		idle = interrupt = false;
		pthread_mutex_unlock(&bql);
		atomic_fetch_add(&clock_now, step);
		pthread_mutex_lock(&bql);
		submit_more();
		if (qemu_clock_deadline_ns_all(0, -1) == 0) {
			qemu_clock_notify(0);
			run_timers();
		}
	}
	pthread_mutex_unlock(&bql);
	return unused;
}

static void take_completions(void)
{
	unsigned head = atomic_load(&ring->head);

	while (head != atomic_load(&ring->tail)) {
		struct io_event *e = &ring->events[head];
		struct slot *s = (struct slot *)(uintptr_t)e->data;

		if (e->res != (s->cb.aio_lio_opcode == IOCB_CMD_FDSYNC ? 0 : BLOCK))
			die("a request went wrong");
		s->busy = false;
		in_flight--;
		done++;
		head = (head + 1) % ring->nr;
		atomic_store(&ring->head, head);
		interrupt = true;
		pthread_cond_broadcast(&halt_cond);
	}
}

static void main_loop_turn(void)
{
	struct pollfd polled[2] = { { notify_fd, POLLIN, 0 }, { resfd, POLLIN, 0 } };

	pthread_mutex_unlock(&bql);
	ppoll(polled, 2, NULL, NULL);
	pthread_mutex_lock(&bql);
	icount_start_warp_timer();
	run_timers();
	drain(notify_fd);
	drain(resfd);
	take_completions();
}

static int count(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static long peak_kib(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	long kib = -1;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static void open_images(char **paths)
{
	for (n_images = 0; paths[n_images] && n_images < IMAGES; n_images++) {
		fds[n_images] = open64(paths[n_images], O_RDWR | O_CLOEXEC | O_DIRECT);
		if (fds[n_images] < 0)
			die(paths[n_images]);
	}
	for (int i = 0; i < n_images * DEPTH; i++)
		if (posix_memalign((void **)&slots[i].buf, BLOCK, BLOCK))
			die("memory");
}

static void find_aio(void)
{
	void *f[3] = { dlsym(RTLD_DEFAULT, "io_setup"), dlsym(RTLD_DEFAULT, "io_submit"),
		       dlsym(RTLD_DEFAULT, "io_destroy") };

	if (!f[0] || !f[1] || !f[2])
		die("the library is not loaded");
	memcpy(&aio_setup, &f[0], sizeof(f[0]));
	memcpy(&aio_submit, &f[1], sizeof(f[1]));
	memcpy(&aio_destroy, &f[2], sizeof(f[2]));
}

int main(int argc, char **argv)
{
	pthread_t thread, other;
	int threads, files;

	if (argc < 4)
		return 2;
	left = atol(argv[1]);
	step = atol(argv[2]);
	find_aio();
	open_images(argv + 3);
	notify_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	resfd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	monitor_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (aio_setup(n_images * DEPTH, (void **)&ring))
		die("io_setup");
	pthread_mutex_lock(&bql);
	if (pthread_create(&thread, NULL, vcpu, NULL) ||
	    pthread_create(&other, NULL, monitor, NULL))
		die("thread");
	while (!created)
		pthread_cond_wait(&cpu_cond, &bql);
	started = true;
	pthread_cond_broadcast(&halt_cond);
	while (done < DEPTH)
		main_loop_turn();
	threads = count("/proc/self/task");
	files = count("/proc/self/fd");
	while (left > 0 || in_flight > 0)
		main_loop_turn();
	printf("done %ld ns %lld peak-kib %ld threads %d files %d", done,
	       (long long)atomic_load(&clock_now), peak_kib(), threads, files);
	printf(" end-threads %d end-files %d\n", count("/proc/self/task"), count("/proc/self/fd"));
	quit = true;
	pthread_cond_broadcast(&halt_cond);
	pthread_mutex_unlock(&bql);
	aio_destroy(ring);
	/* as QEMU: main() returns, its vCPU is let go with the process */
	return 0;
}
