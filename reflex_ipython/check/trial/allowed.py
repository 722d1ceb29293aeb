"""The system calls that a trial may make, and on which conditions. What is not named here is refused.

Calls about files are left to Landlock where there is one, since a filter sees numbers, not paths; where there is none,
every way to change a file is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from reflex_ipython.check.trial.packet_filter import AnyOf, HasBit, NoBit, Not, Null, Rule

DESCRIPTORS = """read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek close close_range dup
dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime signalfd signalfd4 inotify_init
inotify_init1 inotify_add_watch inotify_rm_watch sendfile copy_file_range splice tee vmsplice fsync fdatasync
sync_file_range flock readahead fadvise64 fallocate ftruncate getdents getdents64 fchdir fstat fstatfs fgetxattr
flistxattr cachestat"""
"""Those that a trial has are its own copies."""

PATHS = """access faccessat faccessat2 stat lstat newfstatat statx statfs readlink readlinkat getcwd chdir umask
getxattr lgetxattr listxattr llistxattr getxattrat listxattrat file_getattr"""

MEMORY = """mmap munmap mremap mprotect brk msync mincore mlock mlock2 munlock mlockall munlockall mbind set_mempolicy
get_mempolicy membarrier pkey_alloc pkey_free pkey_mprotect mseal"""

THREADS = """exit exit_group set_tid_address set_robust_list get_robust_list rseq futex futex_waitv futex_wake
futex_wait futex_requeue sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr
sched_get_priority_max sched_get_priority_min sched_rr_get_interval getpriority ioprio_get getcpu wait4 waitid
arch_prctl restart_syscall"""

IDENTITY = """getpid gettid getppid getpgid getpgrp getsid getuid geteuid getgid getegid getresuid getresgid getgroups
capget times getrusage getrlimit uname sysinfo getrandom"""

TIME = """nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time alarm setitimer getitimer
timer_create timer_settime timer_gettime timer_getoverrun timer_delete"""

OWN_SIGNALS = """rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait sigaltstack
pause"""

PAIRS = "recvfrom recvmsg recvmmsg getsockname getpeername getsockopt setsockopt shutdown"
"""Of sockets, there are only pairs, both ends of which are the trial's own."""

NETWORK = "connect bind listen accept accept4 sendto sendmsg sendmmsg"
"""Of sockets of the network; only who allows that gets them."""

FILES = """rename renameat renameat2 mkdir mkdirat rmdir creat link linkat unlink unlinkat symlink symlinkat mknod
mknodat truncate"""
"""What Landlock refuses outside the scratch folder; refused everywhere where there is no Landlock."""

ABSENT = ("clone3", "openat2", "io_setup", "io_uring_setup")
"""Said not to exist, so that libraries take an older way, which the filter can read."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_O_ASYNC = 0o20000
_CLONE_THREAD, _CLONE_NEW = 0x00010000, 0x7E020000
_SETFL = 4
_FCNTL = (0, 1, 2, 3, 5, 6, 7, 9, 11, 16, 36, 37, 38, 1025, 1027, 1028, 1030, 1031, 1032, 1033, 1034, 1035, 1037)
"""By `linux/fcntl.h`: duplicating, flags of the descriptor, locks, pipes' sizes, seals; of owners, signals, leases and
hints only what asks. A lock is let go when the trial ends."""
_IOCTL = (
    *(0x5401, 0x802C542A, 0x540F, 0x5413, 0x5429),  # of a terminal: its settings, groups, size, as questions
    *(0x5411, 0x541B, 0x5421, 0x5450, 0x5451, 0x5460),  # FIONREAD and its like, FIONBIO, FIOCLEX, FIONCLEX, FIOQSIZE
    *(0x80086601, 0xC020660B, 0x40049409, 0x4020940D),  # a file's flags and extents, as questions; FICLONE
)
_PRCTL = (2, 3, 15, 16, 21, 23, 25, 27, 29, 30, 37, 38, 39, 40, 41, 42, 46, 51, 52, 54, 56, 64, 0x53564D41)
"""By `linux/prctl.h`: names, timers' slack, huge pages, and questions."""
_POISON = (100, 101)  # MADV_HWPOISON and MADV_SOFT_OFFLINE take memory from the whole machine
_AF_INET = (2, 10)  # and that of IPv6
_AF_UNIX, _ONE_PROCESS = 1, (0, 1)  # PRIO_PROCESS, IOPRIO_WHO_PROCESS


def rules(pid: int, *, files: bool, network: bool = False) -> Mapping[str, Rule]:
    """What each call that is allowed is held to, by its name.

    Parameters
    ----------
    pid : int
        The process that is shut in: it may do to itself what it may not do to others.
    files : bool
        Whether to refuse every change of a file as well.
    network : bool
        Whether to allow connections over the network; never to a socket of this machine that has a path.
    """
    groups = (DESCRIPTORS, PATHS, MEMORY, THREADS, IDENTITY, TIME, OWN_SIGNALS, PAIRS, *(() if files else (FILES,)))
    plain: dict[str, Rule] = {name: () for group in groups for name in group.split()}
    reaching = _reaching() if network else {}
    return {**plain, **_about_itself(pid), **_by_arguments(), **_opening(files=files), **reaching}


def _about_itself(pid: int) -> dict[str, Rule]:
    itself = AnyOf(0, (pid,))
    return {
        "kill": ((itself,),),
        "tkill": ((itself,),),
        "tgkill": ((itself,),),
        "sched_setaffinity": ((AnyOf(0, (0, pid)),),),
        "setpriority": ((AnyOf(0, _ONE_PROCESS[:1]), AnyOf(1, (0, pid))),),
        "ioprio_set": ((AnyOf(0, _ONE_PROCESS[1:]), AnyOf(1, (0, pid))),),
        "prlimit64": ((AnyOf(0, (0, pid)), Null(2)),),
    }


def _by_arguments() -> dict[str, Rule]:
    return {
        "clone": ((HasBit(0, _CLONE_THREAD), NoBit(0, _CLONE_NEW)),),
        "fcntl": ((AnyOf(1, _FCNTL),), (AnyOf(1, (_SETFL,)), NoBit(2, _O_ASYNC))),
        "ioctl": ((AnyOf(1, _IOCTL),),),
        "prctl": ((AnyOf(0, _PRCTL),),),
        "madvise": ((Not(2, _POISON),),),
        "personality": ((AnyOf(0, (0xFFFFFFFF,)),),),  # a question
        "socketpair": ((AnyOf(0, (_AF_UNIX,)),),),
        "sendto": ((Null(4),),),  # to the other end of a pair
    }


def _reaching() -> dict[str, Rule]:
    plain: dict[str, Rule] = dict.fromkeys(NETWORK.split(), ())
    return {**plain, "socket": ((AnyOf(0, _AF_INET),),)}


def _opening(*, files: bool) -> dict[str, Rule]:
    if not files:
        return {"open": (), "openat": ()}
    return {"open": ((NoBit(1, _WRITING),),), "openat": ((NoBit(2, _WRITING),),)}
