"""The notebooks, and the program that runs them: `python -m notebooks`."""
