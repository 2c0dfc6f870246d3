"""Committed results of long computations. Installed as `headproof_results`: Rocq's record, and `necessity`."""
