"""Files and processes of the operating system.

Here: how files are written, and how worker processes end. Not here: the contents of files, and the jobs of workers.
"""
