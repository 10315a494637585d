/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The KVM probe: a child makes a virtual machine of one CPU, puts it straight into 64-bit mode
 * and lets it count down. A timer kicks it out of KVM_RUN when the deadline passes; the counter
 * register then says how far it came.
 */
#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "host/host.h"

#define INSTRUCTIONS 10000000
#define LOOPS	     (INSTRUCTIONS / 2)
#define DEADLINE_MS  250
#define CHILD_MS     2000 /* making the machine, the run, the answer */
#define WHY_BYTES    160

/* The guest's memory: three page tables that map the first 2 MiB to itself, then code. */
#define GUEST_PML4   0x1000
#define GUEST_PDPT   0x2000
#define GUEST_PD     0x3000
#define GUEST_CODE   0x4000
#define GUEST_BYTES  0x5000
#define PTE_PRESENT  (1 << 0)
#define PTE_WRITE    (1 << 1)
#define PTE_LARGE    (1 << 7)
#define CR0_PE_ET_PG (1ULL << 0 | 1ULL << 4 | 1ULL << 31)
#define CR4_PAE	     (1ULL << 5)
#define EFER_LME_LMA (1ULL << 8 | 1ULL << 10)
/* Intel's KVM wants three pages for its own use; anywhere but in the guest's memory. */
#define TSS_ADDRESS 0xfffbd000

struct probe_result {
	const char *step; /* what failed with error; NULL: it ran. The child is a fork, so a
			   * pointer to a literal is as good in the parent. */
	int error;
	int exit_reason; /* KVM_EXIT_*, or -1 if the deadline kicked it out */
	uint64_t loops;	 /* done */
	int64_t ns;	 /* in KVM_RUN */
};

struct test_guest {
	int vm, vcpu;
	struct kvm_run *run;
};

static void kicked(int signal)
{
	(void)signal;
}

static int failed(struct probe_result *r, const char *step)
{
	r->step = step;
	r->error = errno ? errno : EIO;
	return -r->error;
}

static int make_memory(struct test_guest *m, struct probe_result *r)
{
	/* mov ecx, LOOPS; 1: dec ecx; jnz 1b; hlt */
	const unsigned char code[] = { 0xb9,
				       LOOPS & 0xff,
				       LOOPS >> 8 & 0xff,
				       LOOPS >> 16 & 0xff,
				       LOOPS >> 24 & 0xff,
				       0xff,
				       0xc9,
				       0x75,
				       0xfc,
				       0xf4 };
	const uint64_t pml4 = GUEST_PDPT | PTE_PRESENT | PTE_WRITE;
	const uint64_t pdpt = GUEST_PD | PTE_PRESENT | PTE_WRITE;
	const uint64_t pd = PTE_PRESENT | PTE_WRITE | PTE_LARGE;
	char *mem =
		mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {
		.memory_size = GUEST_BYTES,
		.userspace_addr = (uintptr_t)mem,
	};

	if (mem == MAP_FAILED)
		return failed(r, "mmap");
	memcpy(mem + GUEST_PML4, &pml4, sizeof(pml4));
	memcpy(mem + GUEST_PDPT, &pdpt, sizeof(pdpt));
	memcpy(mem + GUEST_PD, &pd, sizeof(pd));
	memcpy(mem + GUEST_CODE, code, sizeof(code));
	if (ioctl(m->vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return failed(r, "KVM_SET_USER_MEMORY_REGION");
	return 0;
}

static int make_vcpu(struct test_guest *m, int kvm, struct probe_result *r)
{
	int size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);

	if (size < (int)sizeof(*m->run))
		return failed(r, "KVM_GET_VCPU_MMAP_SIZE");
	m->vcpu = ioctl(m->vm, KVM_CREATE_VCPU, 0);
	if (m->vcpu < 0)
		return failed(r, "KVM_CREATE_VCPU");
	m->run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, m->vcpu, 0);
	return m->run == MAP_FAILED ? failed(r, "mmap") : 0;
}

static int set_registers(struct test_guest *m, struct probe_result *r)
{
	struct kvm_segment code = { .limit = 0xffffffff,
				    .selector = 8,
				    .type = 0xb,
				    .present = 1,
				    .s = 1,
				    .l = 1,
				    .g = 1 };
	struct kvm_segment data = { .limit = 0xffffffff,
				    .selector = 16,
				    .type = 0x3,
				    .present = 1,
				    .db = 1,
				    .s = 1,
				    .g = 1 };
	struct kvm_regs regs = { .rip = GUEST_CODE, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(m->vcpu, KVM_GET_SREGS, &sregs) < 0)
		return failed(r, "KVM_GET_SREGS");
	sregs.cs = code;
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = data;
	sregs.cr0 = CR0_PE_ET_PG;
	sregs.cr3 = GUEST_PML4;
	sregs.cr4 = CR4_PAE;
	sregs.efer = EFER_LME_LMA;
	if (ioctl(m->vcpu, KVM_SET_SREGS, &sregs) < 0)
		return failed(r, "KVM_SET_SREGS");
	return ioctl(m->vcpu, KVM_SET_REGS, &regs) < 0 ? failed(r, "KVM_SET_REGS") : 0;
}

static int make_guest(struct test_guest *m, struct probe_result *r)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	int ret;

	if (kvm < 0)
		return failed(r, "/dev/kvm");
	errno = ENOTSUP;
	if (ioctl(kvm, KVM_GET_API_VERSION, 0) != KVM_API_VERSION)
		return failed(r, "KVM_GET_API_VERSION");
	m->vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (m->vm < 0)
		return failed(r, "KVM_CREATE_VM");
	/* Needed on Intel's CPUs only; where it fails the machine may yet run. */
	ioctl(m->vm, KVM_SET_TSS_ADDR, TSS_ADDRESS);
	ret = make_memory(m, r);
	if (ret == 0)
		ret = make_vcpu(m, kvm, r);
	return ret < 0 ? ret : set_registers(m, r);
}

static void start_timer(void)
{
	const struct itimerval timer = {
		/* Again and again, should the first come before KVM_RUN. */
		.it_interval = { .tv_usec = 20 * 1000 },
		.it_value = { .tv_usec = DEADLINE_MS * 1000 },
	};
	const struct sigaction act = { .sa_handler = kicked };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaction(SIGALRM, &act, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void probe(struct probe_result *r)
{
	struct test_guest m = { .vm = -1, .vcpu = -1 };
	struct kvm_regs regs;
	int64_t start;
	int ret;

	if (make_guest(&m, r) < 0)
		return;
	start_timer();
	start = clock_ns();
	ret = ioctl(m.vcpu, KVM_RUN, 0);
	r->ns = clock_ns() - start;
	if (ret < 0 && errno != EINTR) {
		failed(r, "KVM_RUN");
		return;
	}
	r->exit_reason = ret < 0 ? -1 : (int)m.run->exit_reason;
	if (ioctl(m.vcpu, KVM_GET_REGS, &regs) < 0) {
		failed(r, "KVM_GET_REGS");
		return;
	}
	/* Not yet at the loop: the counter is not loaded. */
	r->loops = regs.rip == GUEST_CODE ? 0 : LOOPS - (regs.rcx & 0xffffffff);
}

/* Whether the child delivered its result in time. */
static bool read_result(int fd, struct probe_result *r)
{
	struct deadline d = deadline_in("the KVM probe", CHILD_MS * NS_PER_MS);
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int n;

	do {
		n = poll(&pfd, 1, deadline_ms(&d));
	} while (n < 0 && errno == EINTR && !deadline_passed(&d));
	/* A pipe takes and gives so few bytes in one piece. */
	return n == 1 && read(fd, r, sizeof(*r)) == (ssize_t)sizeof(*r);
}

static void end_child(pid_t pid)
{
	int pidfd __free(fd) = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd pfd = { .fd = pidfd, .events = POLLIN };

	kill(pid, SIGKILL);
	/* One that hangs in the kernel does not even die: it is left to init then. */
	if (pidfd < 0 || poll(&pfd, 1, CHILD_MS) == 1)
		waitpid(pid, NULL, 0);
}

static bool verdict(const struct probe_result *r, char why[WHY_BYTES])
{
	uint64_t done = r->loops * 2;

	if (r->step) {
		snprintf(why, WHY_BYTES, "%s: %s", r->step, strerror(r->error));
		return false;
	}
	if (r->exit_reason == KVM_EXIT_HLT && r->loops == LOOPS) {
		snprintf(why, WHY_BYTES, "ran %d M instructions in %.1f ms", INSTRUCTIONS / 1000000,
			 (double)r->ns / (double)NS_PER_MS);
		return r->ns <= DEADLINE_MS * NS_PER_MS;
	}
	if (r->exit_reason == -1)
		snprintf(why, WHY_BYTES, "only %.3f M of %d M instructions in %.0f ms",
			 (double)done / 1e6, INSTRUCTIONS / 1000000,
			 (double)r->ns / (double)NS_PER_MS);
	else
		snprintf(why, WHY_BYTES,
			 "the test guest ended with KVM exit reason %d after %.3f M "
			 "instructions",
			 r->exit_reason, (double)done / 1e6);
	return false;
}

bool host_kvm_usable(char why[WHY_BYTES])
{
	struct probe_result r = { .exit_reason = -1 };
	pid_t parent = getpid(), pid;
	int fds[2];
	bool answered;

	if (pipe2(fds, O_CLOEXEC) < 0) {
		snprintf(why, WHY_BYTES, "cannot make a pipe: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid == 0) {
		ssize_t n;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		probe(&r);
		n = write(fds[1], &r, sizeof(r));
		_exit(n == (ssize_t)sizeof(r) ? 0 : 1);
	}
	close(fds[1]);
	answered = pid > 0 && read_result(fds[0], &r);
	close(fds[0]);
	if (pid > 0)
		end_child(pid);
	if (answered)
		return verdict(&r, why);
	snprintf(why, WHY_BYTES, "the test guest gave no answer within %d ms", CHILD_MS);
	return false;
}
