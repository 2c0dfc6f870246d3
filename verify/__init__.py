"""Is it true? Verdicts, certificates, and the kernel that re-checks them."""
