"""What a person sees: tables of the terminal, pages that are written anew, one input step by step.

Here: layout and wording of many verdicts together. Not here: what one verdict or one piece of evidence says of itself
(`verdicts`, `constructions.evidence`), or what a command is given (`commands`).
"""
