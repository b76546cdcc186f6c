# Thin names over scripts/, which can be called as they are where there is no make.
.PHONY: help setup demo test check fmt bench docs families

help:
	@echo "make demo     set up, grade an example, build the reference tranche and prove it"
	@echo "make test     set up, and run the tests"
	@echo "make check    format, lint, types, import contracts, docs in sync"
	@echo "make bench    measure, and print medians and ratios"
	@echo "make families hold every family to its promises over twenty variants"
	@echo "make docs     build the manual into build/docs"
	@echo "make fmt      format and fix what can be fixed"
	@echo "make setup    only the virtual environment .venv"

setup demo test check fmt bench docs families:
	@scripts/$@
