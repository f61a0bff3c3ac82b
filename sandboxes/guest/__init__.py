"""The program that runs inside a sandbox: standard library only, Python 3.7 to 3.13, never imports verifier."""
