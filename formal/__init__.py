"""The theorems in Rocq, and what builds, lists and records them. It is not installed."""
