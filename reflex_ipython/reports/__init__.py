"""What a history comes to: logs that a colleague can read, statistics, and a page of charts. Pure."""
