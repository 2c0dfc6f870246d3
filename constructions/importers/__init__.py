"""Models of your own: from arrays, from files, and from models fitted with other libraries.

Here: readers that lift the numbers to exact rationals, and report the change. Not here: what also holds of all models
within this change (`verify.margin.rounding`).
"""
