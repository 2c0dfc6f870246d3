"""Models of your own: from arrays, from files, and from models fitted with other libraries.

Here: readers that make the numbers exact fractions, and report how far a number moved. Not here: the verdicts that hold
of every model within this distance (`verify.margin.rounding`).
"""
