"""What tries to get past the walls, the checkers and the promises, one file a family."""
