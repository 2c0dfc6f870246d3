"""What the code needs of the computer: files, processes, and installed packages.

Here: how files are written, how worker processes end, and whether the packages of an extra are installed. Not here: the
contents of files, and the jobs of workers.
"""
