"""Benchmarks, run by hand and by name: ``python -m bench [NAME …]``. Each prints ratios of one run."""
