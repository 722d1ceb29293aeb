"""The kinds of objects that the journal knows: one module a family. `all_kinds` lists them with their limits."""
