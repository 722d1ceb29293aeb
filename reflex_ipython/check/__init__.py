"""Check: what is known of a fix before anybody accepts it. It never touches the live namespace."""
