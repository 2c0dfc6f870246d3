"""The command `headproof`, one file a command.

Here: what is read from the command line, what is printed, exit statuses. Not here: anything that decides.
"""
