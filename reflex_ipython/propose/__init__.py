"""Propose: who thinks of fixes. Rules come first, a language model last."""
