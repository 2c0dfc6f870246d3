"""What all rules stand on: strict JSON, trees written as lists, integers with a budget.

Here: reading.py turns the text of a certificate into items; item.py reads values from items; exact.py computes with
integers, and charges each computation to a budget. A reader of the rules should know item.py and exact.py.
Not here: what a model is.
"""
