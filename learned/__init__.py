"""Data, pretraining and tuning: learned heads and prompts beside the exact ones.

Only modules of this package import torch when they are loaded. Elsewhere a function that needs torch imports it.

Here: the paper's experiments, and messages with gradients. Not here: proofs, certificates, the kernel.
"""
