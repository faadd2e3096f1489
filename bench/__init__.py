"""Benchmarks. Each result is a ratio measured in one run on one machine; tests never assert
them.
"""
