"""What is asked of a language model that is finished.

Here: heads that theory makes for it, where an attention head loses what it loses.
Not here: training, the cells of Figure 3, anything that proves.
"""
