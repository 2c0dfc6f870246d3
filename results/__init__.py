"""Results that were computed once and are committed. `headproof_results` installs Rocq's record and `necessity`."""
