"""State: what a cell did to the kernel's state, and the way back; what to run again.

Nothing in here knows of a kernel. The edge calls `Journal.before` as each top-level statement starts, the rest after
a failure: `plan`, `Journal.rollback`, `hot_swap`, `stale_results`.

Its modules are imported from where they stand: one that listens from the time of loading on must not bring all others.
"""
