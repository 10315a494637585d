# iorig: one Makefile, no configure. 'make help' lists what it can do.
#   V=1       show commands          O=DIR     build somewhere else than build/
#   CC=clang  another compiler       WERROR=1  warnings are errors
#   SAN=1     address and undefined-behaviour sanitizers

O	?= build
PREFIX	?= /usr/local
DESTDIR	?=
CC	?= gcc
MUSL_CC	?= musl-gcc
VERSION	:= 0.1

# make's own default for CC is "cc"; the project is tried with gcc and clang.
ifeq ($(origin CC),default)
CC	:= gcc
endif

WARN	:= -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wvla
CSTD	:= -std=gnu11 -D_GNU_SOURCE
OPT	?= -O2 -g
ifeq ($(WERROR),1)
WARN	+= -Werror
endif
ifeq ($(SAN),1)
OPT	+= -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
CPPFLAGS += -Irig -DIORIG_VERSION='"$(VERSION)"'
ALL_CFLAGS := $(CSTD) $(WARN) $(OPT) $(CFLAGS)
SIM_CFLAGS := $(CSTD) $(WARN) -O2 -g -fPIC -fvisibility=hidden
AGENT_CFLAGS := $(CSTD) $(WARN) -Os
LIBS	:= -ljansson -larchive -lkmod -lmd -lm
Q	:= $(if $(V),,@)
say	= $(if $(V),,@printf '  %-8s%s\n' '$(1)' '$(2)')

LAYER_DIRS := base wire stats qmp kernel image host patch kconfig source kbuild vm guest \
	      case record run store judge bisect report cmd
SRCS	:= $(foreach d,$(LAYER_DIRS),$(wildcard rig/$(d)/*.c))
HDRS	:= $(foreach d,$(LAYER_DIRS) sim,$(wildcard rig/$(d)/*.h)) $(wildcard images/agent/*.h)
LIB_OBJS := $(patsubst rig/%.c,$(O)/obj/%.o,$(filter-out rig/cmd/main.c,$(SRCS)))
SIM_OBJS := $(patsubst rig/sim/%.c,$(O)/sim/%.o,$(wildcard rig/sim/*.c))
SIM_PURE := $(patsubst rig/sim/%.c,$(O)/sim/%.o,$(wildcard rig/sim/model_*.c))
AGENT_OBJS := $(patsubst %.c,$(O)/musl/%.o,$(wildcard images/agent/*.c) $(wildcard rig/wire/*.c))
UNIT_TESTS := $(patsubst rig/tests/unit/%.c,$(O)/tests/%,$(wildcard rig/tests/unit/test_*.c))
PROGRAMS := $(O)/iorig $(O)/agent $(O)/iorig-sim.so

.PHONY: all deps test mutants check bench bench-verdict bench-busy install uninstall help clean unit FORCE
.PHONY: lint check-unit check-cli check-fake check-vm check-qemu check-matrix check-bisect
.DELETE_ON_ERROR:

all: $(PROGRAMS)

# 'make deps test' in one go: nothing is built before its tools are there.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
$(LIB_OBJS) $(O)/flags: | deps
.NOTPARALLEL:
endif

help:
	@echo 'make deps       install what is missing (says what before it does; apt, root or sudo)'
	@echo 'make            build build/iorig, the guest agent and the simulator library'
	@echo 'make test       boot the kernel, run the cases, print the verdict table'
	@echo '                KERNEL=name|file|tree  PATCH=file|folder|mbox  TREE=kernel tree'
	@echo '                CASES=all|glob  SEEDS=n  JOBS=n  RUNFLAGS="--clock=real"'
	@echo 'make mutants    plant regressions and no-ops, and say which cases see them'
	@echo '                KERNEL=debian-6.1  CASES=  SEEDS=5  JOBS=  RUNFLAGS="--only GLOB"'
	@echo 'make check      the tests of the rig itself (unit, command line, faults, real boots)'
	@echo '                parts: lint check-unit check-cli check-fake check-vm, TESTS=regex'
	@echo '                at length: check-matrix (a repeated run and all that must not change it),'
	@echo '                check-qemu (the next Debian'\''s QEMU), check-bisect (a planted regression in'
	@echo '                a history of 200 commits, really built: rig/tests/bisect.sh)'
	@echo 'make bench      figures: boot time, repeatability, cost'
	@echo 'make bench-verdict   false alarms and power of compare, measured; hours of CPU time,'
	@echo '                goes on where it was stopped: VARIANTS=21 SEEDS=5 (rig/tests/verdict.sh)'
	@echo 'make bench-busy      is compare ever wrong on the real clock of a busy host? COMPARISONS=20'
	@echo '                CASE=sched/raw PATCH=no-merge STALL=2% (rig/tests/busy.sh)'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR), and uninstall'
	@echo 'make clean      remove $(O)/ (results/ and the cache stay)'
	@echo 'Options: V=1 shows commands, O=DIR builds elsewhere, CC=clang, SAN=1, WERROR=1'

# With 'check' or 'lint' among the goals the tests' own tools are installed too.
deps:
	$(Q)sh rig/deps.sh $(if $(filter check% lint bench,$(MAKECMDGOALS)),check,run)

# Rebuild when the flags change: the stamp's time moves only when its content does.
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(LIBS) $(SIM_CFLAGS) $(MUSL_CC) $(AGENT_CFLAGS)' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(O)/obj/%.o: rig/%.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Sanitizers do not go into QEMU: the library is built plain whatever SAN says.
$(O)/sim/%.o: rig/sim/%.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(SIM_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/musl/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,MUSL,$<)
	$(Q)$(MUSL_CC) -Irig -Iimages $(AGENT_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/libiorig.a: $(LIB_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcsP $@ $^

$(O)/iorig: $(O)/obj/cmd/main.o $(O)/libiorig.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LIBS)

$(O)/agent: $(AGENT_OBJS)
	$(call say,LINK,$@)
	$(Q)$(MUSL_CC) -static -s -o $@ $^

$(O)/iorig-sim.so: $(SIM_OBJS)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -o $@ $^ -ldl -lpthread

$(O)/tests/%: rig/tests/unit/%.c $(O)/libiorig.a $(SIM_PURE) $(O)/flags
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(CC) $(CPPFLAGS) -Iimages $(ALL_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(SIM_PURE) \
		$(O)/libiorig.a $(LIBS) -lcmocka

unit: $(UNIT_TESTS)

-include $(LIB_OBJS:.o=.d) $(SIM_OBJS:.o=.d) $(AGENT_OBJS:.o=.d) $(O)/obj/cmd/main.d \
	 $(addsuffix .d,$(UNIT_TESTS))

KERNEL	?= debian
CASES	?= default
test: all
	$(Q)$(O)/iorig run $(if $(TREE),'$(TREE)',$(KERNEL)) -c '$(CASES)' \
		$(if $(PATCH),--patch '$(PATCH)') $(if $(SEEDS),--seeds $(SEEDS)) \
		$(if $(JOBS),--jobs $(JOBS)) $(RUNFLAGS)

# KERNEL and CASES only if the user says them: it has defaults of its own, or a matrix to go on with.
mutants: all
	$(Q)$(O)/iorig mutants $(if $(TREE),'$(TREE)',$(if $(filter file,$(origin KERNEL)),,$(KERNEL))) \
		$(if $(filter file,$(origin CASES)),,-c '$(CASES)') $(if $(SEEDS),--seeds $(SEEDS)) \
		$(if $(JOBS),--jobs $(JOBS)) $(RUNFLAGS)

check: all
	$(Q)O=$(O) CC='$(CC)' perl rig/tests/run.pl lint unit cli fake vm

lint check-unit check-cli check-fake check-vm: all
	$(Q)O=$(O) CC='$(CC)' perl rig/tests/run.pl $(subst check-,,$@)

check-qemu check-matrix check-bisect: all
	$(Q)O=$(O) sh rig/tests/$(subst check-,,$@).sh

bench: all
	$(Q)O=$(O) sh rig/tests/bench.sh

# as for mutants: only what the user says
bench-verdict: all
	$(Q)O=$(O) $(if $(filter file,$(origin KERNEL)),,KERNEL='$(KERNEL)') \
		$(if $(filter file,$(origin CASES)),,CASES='$(CASES)') sh rig/tests/verdict.sh

bench-busy: all
	$(Q)O=$(O) sh rig/tests/busy.sh

SHARE	:= $(DESTDIR)$(PREFIX)/share
install: all
	install -D -m 755 $(O)/iorig $(DESTDIR)$(PREFIX)/bin/iorig
	install -D -m 755 $(O)/agent $(DESTDIR)$(PREFIX)/lib/iorig/agent
	install -D -m 644 $(O)/iorig-sim.so $(DESTDIR)$(PREFIX)/lib/iorig/iorig-sim.so
	install -D -m 644 rig/docs/iorig.1 $(SHARE)/man/man1/iorig.1
	install -D -m 644 rig/docs/iorig-case.5 $(SHARE)/man/man5/iorig-case.5
	for f in $$(find images/disks images/gdb kernels cases expect -type f ! -name '.*'); do \
		install -D -m 644 $$f $(SHARE)/iorig/$$f || exit 1; done
	for f in README rig/docs/*.md; do \
		install -D -m 644 $$f $(SHARE)/doc/iorig/$${f##*/} || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/iorig
	rm -f $(SHARE)/man/man1/iorig.1 $(SHARE)/man/man5/iorig-case.5
	rm -rf $(DESTDIR)$(PREFIX)/lib/iorig $(SHARE)/iorig $(SHARE)/doc/iorig

clean:
	rm -rf $(O)
