"""Committed results of long computations. Package `headproof_results`: formal.txt, necessity/ without models."""
