"""The rules of sealed grading, without input or output.

- `shape` is what files of tests and files of probes share.
- `lift` reads a pytest suite into cases: what is sent, and what is expected.
- `literals` reads and writes the expected side.
- `codec` decodes what a subject answers; `compare` judges it.
- `frames` packs what crosses the pipes.
"""
