"""What was computed once and is committed, installed as `headproof_results`: the record of Rocq, and of necessity."""
