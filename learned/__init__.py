"""The only package that imports torch. Nothing that it computes proves anything."""
