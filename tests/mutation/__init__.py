"""Mutation testing: the code altered in one place at a time, to see that some test fails."""
