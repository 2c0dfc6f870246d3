"""Models of your own.

Here: models from arrays, from files, and from models fitted with other libraries. Their numbers are lifted to exact
rationals, and the change is reported. Not here: statements on models near by (`verify.margin.rounding`).
"""
