"""Whether a file is there, asked only where that is answered at once: on a disk of this machine.

A folder of a network that does not answer would hold up whoever asks, and the process with it when it ends: no limit of
time helps there. So what is mounted is read first, from the system's memory, and nothing is asked below anything but a
disk. A symbolic link may lead anywhere, and is not followed.
"""

from __future__ import annotations

import os
import stat

_DISKS = frozenset(
    {
        *("bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "jfs", "ntfs3", "overlay", "ramfs"),
        *("reiserfs", "tmpfs", "vfat", "xfs", "zfs"),
    }
)
_MOUNTED = "/proc/self/mountinfo"
_NOT_PLAIN = frozenset("*?[]{}:~$\\\0\n")
"""What a path may have that is a pattern, an address, or stands for something else."""


def is_missing(path: str) -> bool:
    """Whether there is surely nothing of that path, and it is a plain one on a disk of this machine; only on Linux."""
    if not path or not _NOT_PLAIN.isdisjoint(path):
        return False
    try:
        whole = os.path.normpath(os.path.join(os.getcwd(), path))
        return ".." not in path.split("/") and _on_a_disk(whole) and _ends_early(whole)
    except (OSError, ValueError):
        return False


def _on_a_disk(path: str) -> bool:
    """Whether all that is mounted on the way to a path is a disk."""
    with open(_MOUNTED, encoding="utf-8", errors="surrogateescape") as file:
        lines = file.read().splitlines()
    kinds = []
    for line in lines:
        fields, _, behind = line.partition(" - ")
        place = fields.split(" ")[4].replace("\\040", " ")
        if "\\" in place:  # another letter that is written otherwise there
            return False
        if place == "/" or path == place or path.startswith(f"{place}/"):
            kinds.append(behind.split(" ")[0])
    return bool(kinds) and _DISKS.issuperset(kinds)


def _ends_early(path: str) -> bool:
    """Whether a path leads through folders to one that does not have the next part of it."""
    at = "/"
    for part in path.strip("/").split("/"):
        at = os.path.join(at, part)
        try:
            mode = os.lstat(at).st_mode
        except FileNotFoundError:
            return True
        if not stat.S_ISDIR(mode):
            return False
    return False
