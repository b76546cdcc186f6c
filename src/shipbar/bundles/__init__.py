"""The format of a delivery: two bundles that never mix, as files.

    DIR/
      TRANCHE-solver/   MANIFEST.json MANIFEST.sig index.jsonl REUSE.toml LICENSES/ keys/
                        tasks/TASK/SPEC.md  images/
      TRANCHE-grader/   the same at the root, and of every task whose grader is open
                        tasks/TASK/…  receipts/TASK/G1.dsse.json  reviews/TASK/…  images/
                        and of every sealed one  sealed/TASK.tar.age

    paths.py      where each file of a task lies in the bundles, and back
    index.py      a line of `index.jsonl` for each of the two, parsed and rendered
    schema.py     both lines as JSON Schema
    manifest.py   the digest of every file and line, and the signature over them
    licences.py   licence expressions, and `REUSE.toml`
    patch.py      a reference as a patch for `git apply`
    sealing.py    commitments to what is not open, and graders encrypted to a recipient
    held.py       finds what is held out in what is delivered
    reading.py    a bundle on disk: held to its manifest, and its tasks put together again

The maker writes bundles and the buyer reads them, and neither imports the other: both
import this. Everything but `reading` is pure: bytes and values go in and come out.

A grader is *open* (all of it is in the grader bundle), *sealed* (one file, encrypted to
the recipient's age key) or *withheld* (a commitment and nothing else). The evaluation
split's graders are never open.
"""
