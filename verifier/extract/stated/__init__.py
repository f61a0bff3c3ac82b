"""What a text says that code prints, returns or raises: the parts of `verifier.extract.outputs`."""
