"""The notebooks, and what runs them: `python -m notebooks`."""
