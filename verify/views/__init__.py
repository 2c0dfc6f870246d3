"""Views for people: tables in the terminal, sentences about many verdicts, one input step by step, pictures.

Here: the layout and wording of many verdicts together. Not here: the sentence of one verdict or one piece of evidence
(`verdicts`, `constructions.evidence`), or the reading of a command line (`commands`).
"""
