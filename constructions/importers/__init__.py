"""Models of your own.

Here: distributions from arrays and files, and from models fitted with other libraries, lifted to exact rationals, with
what that changed. Not here: what may be said of models near by (`verify.margin.rounding`).
"""
