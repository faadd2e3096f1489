"""The SPARQL engine: queries are checked, evaluated in worker processes and stopped at a
deadline.
"""
