"""What all rules stand on: strict JSON, trees written as lists, integers with a budget.

Here: reading.py, which turns the text into items; item.py, which reads values from items; exact.py, which computes and
pays for it. Who reads rules should know the last two. Not here: what a model is.
"""
