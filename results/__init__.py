"""Committed results of long computations. Installed as `headproof_results`: formal.txt and parts of necessity/."""
