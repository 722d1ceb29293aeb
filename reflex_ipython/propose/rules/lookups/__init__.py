"""Names and attributes that were looked up in vain, where more than one thing may be meant."""
