"""What the operating system has a part in.

Here: how files are written, and how worker processes end. Not here: what files say, and what workers do.
"""
