"""Models from the literature, one JSON file each, installed as `headproof_models`."""
