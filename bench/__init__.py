"""Benchmarks: ratios measured in one run on one machine, never asserted in a test."""
