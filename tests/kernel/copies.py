"""The copies of a kernel, counted by a cell."""

COPIES = """
import os, re
def copies():
    found = set(open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read().split())
    for descriptor in os.listdir("/proc/self/fdinfo"):
        try:
            found |= set(re.findall(r"^Pid:\\s+(\\d+)$", open(f"/proc/self/fdinfo/{descriptor}").read(), re.M))
        except OSError:
            pass
    return len(found)
"""
"""Each is known by the descriptor of its process, or is a child."""
