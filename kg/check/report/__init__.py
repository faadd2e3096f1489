"""Reports of problems: lines for people, objects and annotations for programs, and explanations of
rules.
"""
