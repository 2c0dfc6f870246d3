"""What all rules stand on: strict JSON, trees written as lists, integers with a budget.

Here: item.py and exact.py, which one should read, and reading.py, which stands between the text and them.
Not here: what a model is.
"""
