"""Committed results of long computations. Installed as `headproof_results`: formal.txt, and most of necessity/."""
