"""Data, pretraining and tuning: learned heads and prompts beside the exact ones. The only package that imports torch.

Here: the paper's experiments, and its messages with gradients. Not here: anything that proves, certificates, the
kernel.
"""
