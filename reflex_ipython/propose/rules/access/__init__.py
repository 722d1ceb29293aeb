"""What was asked for is called otherwise, is somewhere else, or is of another type: keys, columns, rows, files."""
