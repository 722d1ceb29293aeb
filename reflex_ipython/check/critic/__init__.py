"""The critic: what a careful reviewer would say of a fix, from the old and the new text and from the trial.

It finds what is *new*: nothing that the failed cell did already. Each module has one checker with one job.
"""
