"""Present: what a repair looks like, as data (`panel`, `diff`), as text and as static HTML. It runs nothing."""
