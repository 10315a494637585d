# SPDX-License-Identifier: GPL-2.0-only
"""What 'iorig debug' adds to gdb: the tasks, their stacks and the requests of a stopped guest.

All is read from the guest's memory by the names in the kernel's debug info, so a kernel that calls
something otherwise is told as what gdb could not find. Everything in that memory is the guest's:
lists are bounded, names are escaped. Nothing is written to it.

A task that does not run has left its registers on its stack (__switch_to_asm). gdb gets them from
an unwinder that says, when it is asked for the caller of the processor's own frame: that is where
the task called __switch_to_asm. From there on the kernel's .debug_frame is enough. The guest's own
registers are not touched.
"""
import struct

import gdb
import gdb.unwinder

LIST_MAX = 100000
FRAMES_MAX = 100
WORD = 1 << 64
# What __switch_to_asm leaves on a stack, from the saved stack pointer on (struct inactive_task_frame).
SWITCH_FRAME = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
# Where a stack ends: assembly that says no more about its caller.
ENDS = ("entry_", "asm_", "ret_from_fork", "secondary_startup", "common_interrupt_return")
OPS = {0: "read", 1: "write", 2: "flush", 3: "discard", 5: "secure erase", 9: "write zeroes",
       34: "driver in", 35: "driver out"}


# ---- reading

def number(value):
    return int(value) % WORD


def evaluate(text):
    return gdb.parse_and_eval(text)


def offset_of(kind, member, known={}):
    """Bytes from the beginning of a struct to a member, which may be in a struct without a name."""
    key = kind, member
    if key not in known:
        known[key] = number(evaluate("(unsigned long)&((%s *)0)->%s" % key))
    return known[key]


def at(address, kind):
    return gdb.Value(number(address)).cast(gdb.lookup_type(kind).pointer()).dereference()


def member(value, *names):
    """The first of these members that this kernel has."""
    for name in names[:-1]:
        try:
            return value[name]
        except gdb.error:
            pass
    return value[names[-1]]


def entries(head, kind, link):
    """The structs on a list, given its head."""
    offset = offset_of(kind, link)
    start = number(head.address)
    node = number(head["next"])
    for _ in range(LIST_MAX):
        if node in (start, 0):
            return
        yield at(node - offset, kind)
        node = number(at(node, "struct list_head")["next"])


def escaped(array):
    """A name in the guest's memory, as a terminal may show it."""
    low, high = array.type.range()
    text = ""
    for i in range(low, high + 1):
        c = number(array[i]) & 0xff
        if not c:
            break
        text += chr(c) if 0x20 < c < 0x7f and c != 0x5c else "\\x%02x" % c
    return text


def symbol(name):
    """An address that the linker or assembly defined."""
    return number(evaluate("(unsigned long)&%s" % name))


# ---- tasks

def tasks():
    """All threads, each process's together, the idle one of the first processor first."""
    first = evaluate("init_task")
    leaders = [first] + list(entries(first["tasks"], "struct task_struct", "tasks"))
    for leader in leaders:
        threads = list(entries(leader["signal"]["thread_head"], "struct task_struct",
                               "thread_node"))
        yield from threads or [leader]


def state_of(task):
    """The letter that ps(1) shows."""
    state = number(member(task, "__state", "state")) & 0xffff
    if number(task["exit_state"]) & 0x30:
        return "Z"
    if state & 0x402 == 0x402:	# idle: uninterruptible, but no load
        return "I"
    for bit, letter in ((2, "D"), (1, "S"), (4, "T"), (8, "t")):
        if state & bit:
            return letter
    return "R"


def name_of(task):
    return escaped(task["comm"])


def runs(task):
    """Does a processor execute it? (A kernel for one processor has no on_cpu.)"""
    try:
        return number(task["on_cpu"]) != 0
    except gdb.error:
        return number(task.address) == number(evaluate("current_task"))


def found(text):
    """The tasks that a number, a name (of which the kernel keeps 15 bytes) or a state means."""
    for task in tasks():
        if text in ("all", str(int(task["pid"]))) or text[:15] == name_of(task) or \
           (len(text) == 1 and text == state_of(task)):
            yield task


# ---- stacks

class Switched(gdb.unwinder.Unwinder):
    """Says that the processor's own frame was called from the place where a task was switched."""

    def __init__(self):
        super().__init__("iorig task")
        self.registers = None
        self.processor = None

    def __call__(self, frame):
        if self.registers is None:
            return None
        sp, pc = frame.read_register("rsp"), frame.read_register("rip")
        # its own frame is not the innermost where it is in a function that is inlined there
        if (number(sp), number(pc)) != self.processor:
            return None
        info = frame.create_unwind_info(FrameId(sp, pc))
        word = gdb.lookup_type("unsigned long")
        for name, value in self.registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(word))
        return info

    def use(self, registers):
        self.registers = None
        gdb.invalidate_cached_frames()
        innermost = gdb.newest_frame()
        self.processor = tuple(number(innermost.read_register(r)) for r in ("rsp", "rip"))
        self.registers = registers
        gdb.invalidate_cached_frames()


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


switched = Switched()
gdb.unwinder.register_unwinder(None, switched, replace=True)


def saved_registers(task):
    sp = number(task["thread"]["sp"])
    words = gdb.selected_inferior().read_memory(sp, 8 * len(SWITCH_FRAME)).tobytes()
    registers = dict(zip(SWITCH_FRAME, struct.unpack("<%dQ" % len(SWITCH_FRAME), words)))
    registers["rsp"] = sp + len(words)
    return registers


def is_code(pc):
    return symbol("_stext") <= pc < symbol("_etext") or \
        symbol("_sinittext") <= pc < symbol("_einittext")


def stack(task):
    """The frames of a task, innermost first: valid until another task is looked at."""
    if runs(task):
        switched.use(None)
        frame = gdb.newest_frame()
    else:
        registers = saved_registers(task)
        switched.use(registers)
        frame = gdb.newest_frame()
        # what the processor itself is at, with functions that are inlined there
        while frame is not None and number(frame.read_register("rsp")) != registers["rsp"]:
            frame = frame.older()
    for _ in range(FRAMES_MAX):
        if frame is None or not is_code(frame.pc()):
            return
        yield frame
        if (frame.name() or "").startswith(ENDS):
            return
        frame = frame.older()


def show_value(value):
    """As gdb does, but no text: what a pointer into another process means is not known here."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR and \
       kind.target().strip_typedefs().code == gdb.TYPE_CODE_INT:
        return "0x%x" % number(value)
    return value.format_string(summary=True, symbols=False, max_elements=32)


def arguments(frame):
    """As gdb shows them; those that the compiler left nothing of are left out."""
    texts = []
    block = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    for sym in block or ():
        if not sym.is_argument:
            continue
        try:
            value = sym.value(frame)
            if not value.is_optimized_out:
                texts.append("%s=%s" % (sym.name, show_value(value)))
        except (gdb.error, ValueError):
            pass
    return ", ".join(texts)


def describe(frame):
    name = frame.name() or "0x%x" % frame.pc()
    try:
        text = "%s (%s)" % (name, arguments(frame))
    except RuntimeError:	# no debug info here
        text = "%s ()" % name
    place = frame.find_sal()
    if place.symtab is not None and place.line:
        text += " at %s:%d" % (place.symtab.filename, place.line)
    return text


def waits_in(task):
    """The innermost function that is not the scheduler's own, as /proc/PID/wchan has it."""
    low, high = symbol("__sched_text_start"), symbol("__sched_text_end")
    for frame in stack(task):
        if not low <= frame.pc() < high:
            return frame.name() or "0x%x" % frame.pc()
    return "-"


def heading(task):
    state = "runs" if runs(task) else state_of(task)
    where = "" if runs(task) else ", in %s" % waits_in(task)
    return "%s (pid %d), %s%s" % (name_of(task), int(task["pid"]), state, where)


# ---- requests

def disks():
    """(name, request queue) of every block device that has been opened."""
    seen = set()
    inodes = evaluate("blockdev_superblock")["s_inodes"]
    offset = offset_of("struct bdev_inode", "vfs_inode")
    for inode in entries(inodes, "struct inode", "i_sb_list"):
        bdev = at(number(inode.address) - offset, "struct bdev_inode")["bdev"]
        disk = number(bdev["bd_disk"])
        if disk and disk not in seen:
            seen.add(disk)
            disk = at(disk, "struct gendisk")
            if number(disk["queue"]):
                yield escaped(disk["disk_name"]), disk["queue"].dereference()


def requests_of(tags, count, queue):
    for i in range(count):
        request = tags[i]
        if number(request) and number(request["q"]) == number(queue.address):
            yield request.dereference()


def sent(queue):
    """Requests that have been given to the driver."""
    tag_set = queue["tag_set"]
    for i in range(number(tag_set["nr_hw_queues"])):
        tags = tag_set["tags"][i]
        if number(tags):
            yield from (r for r in requests_of(tags["rqs"], number(tags["nr_tags"]), queue)
                        if number(r["state"]) == 1)


def held(queue):
    """Requests that the scheduler holds back: of the first processor's hardware queue."""
    per_cpu = number(evaluate("__per_cpu_offset[0]"))
    ctx = at(number(queue["queue_ctx"]) + per_cpu, "struct blk_mq_ctx")
    tags = ctx["hctxs"][0]["sched_tags"]
    if not number(tags):
        return
    for request in requests_of(tags["static_rqs"], number(tags["nr_tags"]), queue):
        # one that nobody has allocated holds no reference
        count = member(request, "ref")
        count = count["refs"]["counter"] if count.type.code == gdb.TYPE_CODE_STRUCT and \
            "refs" in [f.name for f in count.type.fields()] else count["counter"]
        if number(count) and number(request["state"]) == 0:
            yield request


def show_request(request, what):
    flags = number(request["cmd_flags"])
    op = flags & 0xff
    sync = ", sync" if flags & (1 << 11) else ""
    print("  %-4s %-8s sector %-10d %4d KiB%s" % (
        what, OPS.get(op, "op %d" % op), number(request["__sector"]),
        number(request["__data_len"]) // 1024, sync))


# ---- commands

def refuse(text):
    raise gdb.GdbError(text)


class Iorig(gdb.Command):
    """Look into the guest that 'iorig debug' has stopped."""

    def __init__(self):
        super().__init__("iorig", gdb.COMMAND_STATUS, prefix=True)


class Tasks(gdb.Command):
    """Every task with its state and what it waits in: iorig tasks"""

    def __init__(self):
        super().__init__("iorig tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print("%7s %s %-28s %s" % ("PID", "S", "WAITS IN", "NAME"))
        try:
            for task in tasks():
                where = "(runs)" if runs(task) else waits_in(task)
                print("%7d %s %-28s %s" % (int(task["pid"]), state_of(task), where,
                                           name_of(task)))
        finally:
            switched.use(None)


class Backtrace(gdb.Command):
    """The stacks of tasks, by a PID, a name, a state or 'all': iorig bt D"""

    def __init__(self):
        super().__init__("iorig bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        which = argument.strip() or refuse("which task? a PID, a name, a state such as D, or all")
        n = 0
        try:
            for task in found(which):
                if n:
                    print()
                n += 1
                print(heading(task))
                for level, frame in enumerate(stack(task)):
                    print("#%-2d %s" % (level, describe(frame)))
        finally:
            switched.use(None)
        if not n:
            print("no task %s %s" % ("is in state" if len(which) == 1 else "is called", which))


class On(gdb.Command):
    """Let gdb's own commands (bt, up, info locals) see a task: iorig on PID
Its frames are above that of the processor, which stays number 0. Without a PID: the processor's
own again."""

    def __init__(self):
        super().__init__("iorig on", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        switched.use(None)
        if not argument.strip():
            return
        for task in found(argument.strip()):
            if runs(task):
                print("%s runs: its frames are the processor's" % name_of(task))
            else:
                switched.use(saved_registers(task))
                print("%s (pid %d): see frame 1 and above" % (name_of(task), int(task["pid"])))
            return
        refuse("no such task")


class Requests(gdb.Command):
    """The requests of every disk, sent to its driver or held by its scheduler: iorig requests
Of several hardware queues, the scheduler's are those of the first processor's."""

    def __init__(self):
        super().__init__("iorig requests", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        for name, queue in disks():
            if not number(queue["tag_set"]):
                continue
            lists = (("sent", list(sent(queue))), ("held", list(held(queue))))
            print("%s: %d sent, %d held" % (name, len(lists[0][1]), len(lists[1][1])))
            for what, requests in lists:
                for request in sorted(requests, key=lambda r: number(r["__sector"])):
                    show_request(request, what)


class Batch(gdb.Command):
    """What 'iorig debug --batch' does: iorig batch SOCKET
Attach, print the stacks of the tasks in D state, and let go. gdb's own words about the machine are
left out, and its status tells whether all went well."""

    def __init__(self):
        super().__init__("iorig batch", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        gdb.execute("set suppress-cli-notifications on")
        gdb.execute("target remote " + argument, to_string=True)
        try:
            gdb.execute("iorig bt D")
        finally:
            # at its end gdb would kill QEMU
            gdb.execute("disconnect", to_string=True)


for command in (Iorig, Tasks, Backtrace, On, Requests, Batch):
    command()
