"""The check of a site.

check        files -> facts -> graph -> all problems
rules/       rules in Python, about values that are never published
shapes       our rules as SELECTs over the graph; own_shapes: those of a site, by pyshacl
problems     findings -> problems at their places, without accepted ones
report/      problems -> text, JSON, explanations; site_state: one report while nothing changes
"""
