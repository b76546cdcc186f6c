"""What runs inside a sandbox: standard library only, shipped there as files.

Nothing here is secret and nothing here is trusted once a candidate has been
imported: the judge believes no word that comes out.

- `boot` gives up what the process must not have, then runs a program.
- `lockdown` (Landlock only) closes the file system and the system calls.
- `runner` answers probes; `__main__` starts it.
- `encode` turns a value into plain data.
"""
