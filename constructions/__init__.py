"""The paper's mathematics, executable."""
