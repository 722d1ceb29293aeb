"""What a hostile cell does by itself to reach out of a trial, by number where Python has no function for it.

Each cell acts on a live victim, with arguments that work where nothing stands in the way, and harm nobody else.
"""

from __future__ import annotations

import platform

_X86 = platform.machine() == "x86_64"
# name: x86_64, aarch64
_NUMBERS = {
    "ptrace": (101, 117), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "kill": (62, 129),
    "rt_tgsigqueueinfo": (297, 240), "ioprio_set": (251, 30), "setpriority": (141, 140), "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "prlimit64": (302, 261),
    "process_vm_writev": (311, 271), "process_vm_readv": (310, 270), "kcmp": (312, 272), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "memfd_create": (319, 279),
    "execve": (59, 221), "execveat": (322, 281), "clone": (56, 220), "personality": (135, 92), "shmget": (29, 194),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "mq_unlink": (241, 181), "socket": (41, 198),
    "setpgid": (109, 154), "setuid": (105, 146), "setgroups": (116, 159), "capset": (126, 91), "prctl": (157, 167),
    "seccomp": (317, 277), "setrlimit": (160, 164), "setxattr": (188, 5), "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262), "syslog": (103, 116), "getpid": (39, 172), "sync": (162, 81),
}  # fmt: skip
_SAME = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fspick": 433,
    "pidfd_open": 434, "clone3": 435, "openat2": 437, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
    "memfd_secret": 447, "process_mrelease": 448, "setxattrat": 463, "file_setattr": 469,
}  # fmt: skip
NUMBERS = {**{name: pair[0 if _X86 else 1] for name, pair in _NUMBERS.items()}, **_SAME}

PRELUDE = """
import ctypes, errno, fcntl, os, signal, struct, termios, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def call(name, *arguments):
    words = [ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(numbers[name]), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result

def pipe_that_signals(how):
    reading, writing = os.pipe()
    how(reading)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)
    os.write(writing, b'x')
"""

SIGNALS = {
    "F_SETOWN on a pipe": "pipe_that_signals(lambda fd: fcntl.fcntl(fd, fcntl.F_SETOWN, victim))",
    "F_SETOWN of the group": "pipe_that_signals(lambda fd: fcntl.fcntl(fd, fcntl.F_SETOWN, -victim))",
    "F_SETOWN_EX on a pipe": "pipe_that_signals(lambda fd: fcntl.fcntl(fd, 15, struct.pack('ii', 1, victim)))",
    "F_SETSIG on a pipe": "pipe_that_signals(lambda fd: fcntl.fcntl(fd, 10, 9))",
    "O_ASYNC on a pipe": "pipe_that_signals(lambda fd: None)",
    "FIOASYNC": "fcntl.ioctl(os.pipe()[0], 0x5452, struct.pack('i', 1))",
    "FIOSETOWN": "import socket; fcntl.ioctl(socket.socketpair()[0], 0x8901, struct.pack('i', victim))",
    "SIOCSPGRP": "import socket; fcntl.ioctl(socket.socketpair()[0], 0x8902, struct.pack('i', victim))",
    "F_NOTIFY": "fcntl.fcntl(os.open(folder, os.O_RDONLY), 1026, 0x80000001)",
    "kill": "call('kill', victim, 9)",
    "kill of the group": "call('kill', -victim, 9)",
    "kill with dirty upper halves": "call('kill', (7 << 32) | victim, 9)",
    "tkill": "call('tkill', victim, 9)",
    "tgkill": "call('tgkill', victim, victim, 9)",
    "rt_sigqueueinfo": "call('rt_sigqueueinfo', victim, 9, struct.pack('iii', 9, 0, -1) + bytes(116))",
    "rt_tgsigqueueinfo": "call('rt_tgsigqueueinfo', victim, victim, 9, struct.pack('iii', 9, 0, -1) + bytes(116))",
    "pidfd_open": "call('pidfd_send_signal', call('pidfd_open', victim, 0), 9, 0, 0)",
    "pidfd_send_signal": "call('pidfd_send_signal', os.open(f'/proc/{victim}', os.O_RDONLY), 9, 0, 0)",
    "process_mrelease": "call('process_mrelease', os.open(f'/proc/{victim}', os.O_RDONLY), 0)",
    "prctl(PR_SET_PDEATHSIG)": "call('prctl', 1, 0, 0, 0, 0)",
}
"""Towards a process that dies of each."""

PRIORITIES = {
    "ioprio_set": "call('ioprio_set', 1, victim, 3 << 13)",
    "ioprio_set of a user": "call('ioprio_set', 3, 54321, 3 << 13)",
    "setpriority": "os.setpriority(os.PRIO_PROCESS, victim, 19)",
    "setpriority of the group": "os.setpriority(os.PRIO_PGRP, victim, 19)",
    "sched_setaffinity": "os.sched_setaffinity(victim, {0})",
    "sched_setscheduler": "os.sched_setscheduler(victim, os.SCHED_IDLE, os.sched_param(0))",
    "sched_setscheduler of its own": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "sched_setparam": "os.sched_setparam(victim, os.sched_param(0))",
    "sched_setattr": "call('sched_setattr', victim, struct.pack('=IIQiIQQQ', 48, 5, 0, 0, 0, 0, 0, 0), 0)",
    "prlimit64": "import resource; resource.prlimit(victim, resource.RLIMIT_NOFILE, (16, 16))",
    "oom_score_adj": "open(f'/proc/{victim}/oom_score_adj', 'w').write('1000')",
    "timerslack": "open(f'/proc/{victim}/timerslack_ns', 'w').write('9')",
    "setpgid": "call('setpgid', victim, 0)",
    "migrate_pages": "call('migrate_pages', victim, 64, b'\\x01' + bytes(7), b'\\x01' + bytes(7))",
    "move_pages": "call('move_pages', victim, 0, 0, 0, 0, 0)",
    "process_madvise": "call('process_madvise', os.open(f'/proc/{victim}', os.O_RDONLY), 0, 0, 20, 0)",
}

MEMORY_OF_OTHERS = {
    "process_vm_writev": "source = ctypes.create_string_buffer(b'trial'); s = ctypes.addressof(source)\n"
    "call('process_vm_writev', kernel, struct.pack('QQ', s, 5), 1, struct.pack('QQ', address, 5), 1, 0)",
    "process_vm_readv": "call('process_vm_readv', kernel, struct.pack('QQ', ctypes.addressof("
    "ctypes.create_string_buffer(5)), 5), 1, struct.pack('QQ', address, 5), 1, 0)",
    "ptrace": "call('ptrace', 0x4206, kernel, 0, 0)",
    "/proc/pid/mem": "m = open(f'/proc/{kernel}/mem', 'r+b', buffering=0); m.seek(address); m.write(b'trial')",
    "kcmp": "call('kcmp', kernel, kernel, 0, 0, 0)",
    "pidfd_getfd": "call('pidfd_getfd', os.open(f'/proc/{kernel}', os.O_RDONLY), 0, 0)",
}

TERMINAL = {
    "tcsetattr by name": "fd = os.open(terminal, os.O_RDONLY | os.O_NOCTTY); a = termios.tcgetattr(fd)\n"
    "a[3] ^= termios.ECHO; termios.tcsetattr(fd, termios.TCSANOW, a)",
    "TCSETS2": "fcntl.ioctl(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), 0x402C542B, bytes(44))",
    "TIOCSTI": "fcntl.ioctl(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TIOCSTI, b'x')",
    "TIOCSWINSZ": "fcntl.ioctl(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TIOCSWINSZ, bytes(range(8)))",
    "TIOCSCTTY": "fcntl.ioctl(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TIOCSCTTY, 0)",
    "TCFLSH": "termios.tcflush(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TCIOFLUSH)",
    "TCXONC": "termios.tcflow(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TCOOFF)",
    "TIOCEXCL": "fcntl.ioctl(os.open(terminal, os.O_RDONLY | os.O_NOCTTY), termios.TIOCEXCL)",
}

FILES = {
    "FS_IOC_SETFLAGS": "fcntl.ioctl(os.open(path, os.O_RDONLY), 0x40086602, struct.pack('l', 0x80))",
    "FS_IOC_SETFLAGS of 32 bits": "fcntl.ioctl(os.open(path, os.O_RDONLY), 0x40046602, struct.pack('l', 0x80))",
    "FS_IOC_FSSETXATTR": "fcntl.ioctl(os.open(path, os.O_RDONLY), 0x401C5820, struct.pack('I', 0x40) + bytes(24))",
    "an inherited one": "fcntl.ioctl(held, 0x40086602, struct.pack('l', 0x80))",
    "file_setattr": "call('file_setattr', -100, path.encode() + b'\\0', struct.pack('QIIII', 64, 0, 0, 0, 0), 24, 0)",
    "setxattr": "call('setxattr', path.encode() + b'\\0', b'user.x\\0', b'1', 1, 0)",
    "setxattrat": "call('setxattrat', -100, path.encode() + b'\\0', 0, b'user.x\\0', bytes(16), 16)",
    "F_SETLEASE": "fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "F_SET_RW_HINT": "fcntl.fcntl(os.open(path, os.O_RDONLY), 1036, struct.pack('Q', 5))",
    "openat2": "call('openat2', -100, path.encode() + b'\\0', struct.pack('QQQ', os.O_WRONLY | os.O_TRUNC, 0, 0), 24)",
    "io_uring": "call('io_uring_setup', 4, ctypes.create_string_buffer(256))",
    "open_by_handle": "call('name_to_handle_at', -100, path.encode() + b'\\0', bytes(136), bytes(8), 0)",
}

MOUNTS = {
    "mount": "call('mount', folder.encode() + b'\\0', place.encode() + b'\\0', b'\\0', 4096, 0)",
    "umount2": "call('umount2', place.encode() + b'\\0', 2)",
    "fsopen": "call('fsopen', b'tmpfs\\0', 0)",
    "fspick": "call('fspick', -100, place.encode() + b'\\0', 0)",
    "open_tree": "call('open_tree', -100, folder.encode() + b'\\0', 1)",
    "move_mount": "call('move_mount', -100, folder.encode() + b'\\0', -100, place.encode() + b'\\0', 0)",
    "mount_setattr": "call('mount_setattr', -100, place.encode() + b'\\0', 0, bytes(32), 32)",
    "pivot_root": "call('pivot_root', folder.encode() + b'\\0', place.encode() + b'\\0')",
    "chroot": "os.chroot(folder)",
    "unshare": "call('unshare', 0x10020000)",
    "setns": "call('setns', os.open(f'/proc/{kernel}/ns/mnt', os.O_RDONLY), 0)",
}

MACHINE = {
    "keyctl": "call('keyctl', 0, -3, 1, 0, 0)",
    "add_key": "call('add_key', b'user\\0', b'reflex-test\\0', b'x', 1, -2)",
    "request_key": "call('request_key', b'user\\0', b'reflex-test\\0', 0, -2)",
    "bpf": "call('bpf', 0, struct.pack('IIII', 2, 4, 8, 1) + bytes(112), 128)",
    "perf_event_open": "call('perf_event_open', struct.pack('IIQ', 1, 128, 0) + bytes(112), victim, -1, -1, 0)",
    "userfaultfd": "call('userfaultfd', 1)",
    "memfd and exec": "fd = call('memfd_create', b'x\\0', 0); call('execveat', fd, b'\\0', 0, 0, 0x1000)",
    "execveat": "call('execveat', -100, b'/bin/true\\0', 0, 0, 0)",
    "memfd_secret": "call('memfd_secret', 0)",
    "personality": "call('personality', 0x0040000)",
    "shmget": "call('shmget', 0, 4096, 0o1600)",
    "semget": "call('semget', 0, 1, 0o1600)",
    "msgget": "call('msgget', 0, 0o1600)",
    "mq_open": "call('mq_open', queue.encode() + b'\\0', 0o102, 0o600, 0)",
    "mq_unlink": "call('mq_unlink', queue.encode() + b'\\0')",
    "clone": "call('clone', 17, 0, 0, 0, 0) or os._exit(9)",
    "clone into a namespace": "call('clone', 0x10000011, 0, 0, 0, 0) or os._exit(9)",
    "clone3": "call('clone3', struct.pack('8Q', 0, 0, 0, 0, 17, 0, 0, 0), 64) or os._exit(9)",
    "socket of the routing table": "import socket; socket.socket(16, socket.SOCK_RAW, 0)",
    "a pair of another family": "call('socket', 40, 1, 0)",
    "setuid": "call('setuid', 12345)",
    "setgroups": "call('setgroups', 0, 0)",
    "capset": "call('capset', struct.pack('Ii', 0x20080522, 0), bytes(24))",
    "seccomp": "call('seccomp', 1, 8, 0)",
    "fanotify": "call('fanotify_init', 0, 0)",
    "syslog": "call('syslog', 10, 0, 0)",
    "sync": "call('sync')",
    "poisoned memory": "import mmap; m = mmap.mmap(-1, 4096)\n"
    "a = ctypes.addressof(ctypes.c_char.from_buffer(m))\n"
    "if libc.madvise(ctypes.c_void_p(a), 4096, 101): raise OSError(ctypes.get_errno(), 'madvise')",
    "the second set of numbers": "numbers['x32'] = 0x40000000 | numbers['getpid']; call('x32')",
    "a number from the future": "numbers['new'] = 470; call('new')",
}

FAMILIES = {
    "signals": SIGNALS,
    "priorities": PRIORITIES,
    "memory of others": MEMORY_OF_OTHERS,
    "terminal": TERMINAL,
    "files": FILES,
    "mounts": MOUNTS,
    "machine": MACHINE,
}

EVERY_NUMBER = """
let_through = []
for number in range(1024):
    if number not in allowed:
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_void_p(0)] * 6)
        if result != -1 or ctypes.get_errno() not in (errno.EACCES, errno.ENOSYS):
            let_through.append(number)
let_through
"""
