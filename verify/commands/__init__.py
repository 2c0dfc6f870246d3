"""The command `headproof`: its subcommands, and what several of them need.

Here: what is read from the command line, what is printed, exit statuses. Not here: anything that decides a verdict.
"""
