"""The numbers of the system calls that a trial may not make, for the processors that we know."""

from __future__ import annotations

from dataclasses import dataclass

# ------------------------------------------------------------------ what is refused, by what it is about

NETWORK = "socket connect bind listen sendmsg sendmmsg"
PROCESSES = "fork vfork execve execveat ptrace process_vm_readv process_vm_writev kcmp pidfd_open pidfd_getfd"
SIGNALS = "tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal"
SHARED = "shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink"
ATTRIBUTES = """chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr
lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr"""
MACHINE = """mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick
mount_setattr swapon swapoff reboot sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime
init_module finit_module delete_module kexec_load kexec_file_load acct quotactl quotactl_fd syslog iopl ioperm bpf
perf_event_open userfaultfd fanotify_init name_to_handle_at open_by_handle_at add_key request_key keyctl setpriority
sched_setscheduler sched_setparam sched_setattr setrlimit"""
UNSEEN = "io_uring_setup memfd_create memfd_secret"
"""What could do the above, or fill the memory, without being seen."""

FILES = """rename renameat renameat2 mkdir mkdirat rmdir creat link linkat unlink unlinkat symlink symlinkat mknod
mknodat truncate"""
"""What Landlock refuses outside the scratch folder; refused everywhere where there is no Landlock."""

REFUSED = frozenset(" ".join((NETWORK, PROCESSES, SIGNALS, SHARED, ATTRIBUTES, MACHINE, UNSEEN)).split())


@dataclass(frozen=True)
class Processor:
    """One kind of processor: its number in `linux/audit.h`, and its system calls."""

    audit: int
    calls: dict[str, int]


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2])}


# From 424 on, all processors have the same numbers.
_COMMON = """pidfd_send_signal 424 io_uring_setup 425 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432
fspick 433 pidfd_open 434 clone3 435 openat2 437 pidfd_getfd 438 mount_setattr 442 quotactl_fd 443 memfd_secret 447
fchmodat2 452 setxattrat 463 removexattrat 466 file_setattr 469"""

_X86_64 = """open 2 ioctl 16 shmget 29 shmat 30 shmctl 31 socket 41 connect 42 sendto 44 sendmsg 46 bind 49 listen 50
clone 56 fork 57 vfork 58 execve 59 kill 62 semget 64 semop 65 semctl 66 msgget 68 msgsnd 69 msgrcv 70 msgctl 71
truncate 76 rename 82 mkdir 83 rmdir 84 creat 85 link 86 unlink 87 symlink 88 chmod 90 fchmod 91 chown 92 fchown 93
lchown 94 ptrace 101 syslog 103 rt_sigqueueinfo 129 utime 132 mknod 133 setpriority 141 sched_setparam 142
sched_setscheduler 144 pivot_root 155 prctl 157 adjtimex 159 setrlimit 160 chroot 161 acct 163 settimeofday 164 mount
165 umount2 166 swapon 167 swapoff 168 reboot 169 sethostname 170 setdomainname 171 iopl 172 ioperm 173 init_module
175 delete_module 176 quotactl 179 setxattr 188 lsetxattr 189 fsetxattr 190 removexattr 197 lremovexattr 198
fremovexattr 199 tkill 200 sched_setaffinity 203 semtimedop 220 clock_settime 227 tgkill 234 utimes 235 mq_open 240
mq_unlink 241 kexec_load 246 add_key 248 request_key 249 keyctl 250 openat 257 mkdirat 258 mknodat 259 fchownat 260
futimesat 261 unlinkat 263 renameat 264 linkat 265 symlinkat 266 fchmodat 268 unshare 272 utimensat 280
rt_tgsigqueueinfo 297 perf_event_open 298 fanotify_init 300 prlimit64 302 name_to_handle_at 303 open_by_handle_at 304
clock_adjtime 305 sendmmsg 307 setns 308 process_vm_readv 310 process_vm_writev 311 kcmp 312 finit_module 313
sched_setattr 314 renameat2 316 memfd_create 319 kexec_file_load 320 bpf 321 execveat 322 userfaultfd 323"""

_AARCH64 = """setxattr 5 lsetxattr 6 fsetxattr 7 removexattr 14 lremovexattr 15 fremovexattr 16 ioctl 29 mknodat 33
mkdirat 34 unlinkat 35 symlinkat 36 linkat 37 renameat 38 umount2 39 mount 40 pivot_root 41 truncate 45 chroot 51
fchmod 52 fchmodat 53 fchownat 54 fchown 55 openat 56 quotactl 60 utimensat 88 acct 89 unshare 97 kexec_load 104
init_module 105 delete_module 106 clock_settime 112 syslog 116 ptrace 117 sched_setparam 118 sched_setscheduler 119
sched_setaffinity 122 kill 129 tkill 130 tgkill 131 rt_sigqueueinfo 138 setpriority 140 reboot 142 sethostname 161
setdomainname 162 setrlimit 164 prctl 167 settimeofday 170 adjtimex 171 mq_open 180 mq_unlink 181 msgget 186 msgctl
187 msgrcv 188 msgsnd 189 semget 190 semctl 191 semtimedop 192 semop 193 shmget 194 shmctl 195 shmat 196 socket 198
bind 200 listen 201 connect 203 sendto 206 sendmsg 211 add_key 217 request_key 218 keyctl 219 clone 220 execve 221
swapon 224 swapoff 225 rt_tgsigqueueinfo 240 perf_event_open 241 prlimit64 261 fanotify_init 262 name_to_handle_at 264
open_by_handle_at 265 clock_adjtime 266 setns 268 sendmmsg 269 process_vm_readv 270 process_vm_writev 271 kcmp 272
finit_module 273 sched_setattr 274 renameat2 276 memfd_create 279 bpf 280 execveat 281 userfaultfd 282 kexec_file_load
294"""

PROCESSORS = {
    "x86_64": Processor(0xC000003E, _numbers(f"{_X86_64} {_COMMON}")),
    "aarch64": Processor(0xC00000B7, _numbers(f"{_AARCH64} {_COMMON}")),
}
"""By what `os.uname().machine` says."""
