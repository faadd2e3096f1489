"""Facts as authors write them: YAML files, read and validated into one model for each kind of
entry.
"""
