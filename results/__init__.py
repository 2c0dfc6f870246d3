"""Results that were computed once and are committed. Installed as `headproof_results`: Rocq's record, and `necessity`."""
