"""What all rules stand on: strict JSON, integers with a budget, trees written as lists.

Here: what the other rooms share. Not here: anything that knows what a model is. Read item.py and exact.py; reading.py
is what stands between the text and them.
"""
