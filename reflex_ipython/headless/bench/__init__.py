"""Known failures, each run and repaired in a fresh kernel: how often is there a fix, and how often the right one?"""
