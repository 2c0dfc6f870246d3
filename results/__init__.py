"""Committed results of long computations. `headproof_results` has formal.txt, necessity's table and certificates."""
