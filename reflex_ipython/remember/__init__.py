"""Remember: every repair of every session, in a file where that is possible, else in memory. No row is lost."""
