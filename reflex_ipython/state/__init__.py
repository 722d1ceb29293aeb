"""State: what a cell did to the kernel's state, and the way back; which statement failed; what to run again."""
