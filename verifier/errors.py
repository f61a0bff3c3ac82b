"""What can go wrong, as a tree; the command line turns each branch into one exit code.

    VerifierError
    ├── UsageError            the command line or the configuration is wrong        exit 2
    ├── InputError            a document cannot be read                             exit 2
    └── SandboxError          the claims could not be checked, through no fault of the document
        ├── SandboxUnavailable    no isolation or no environment on this machine    exit 4
        └── ProtocolError         the guest said something that is not the protocol exit 4

Messages say what happened, where, and what to do next, in one sentence.
"""


class VerifierError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(VerifierError):
    """An option, a configuration value or a combination of them is wrong."""


class InputError(VerifierError):
    """A document cannot be read: missing, unreadable, binary, of an unknown encoding."""


class SandboxError(VerifierError):
    """The sandbox failed for reasons of its own."""


class SandboxUnavailable(SandboxError):
    """No sandbox can be had on this machine; the message names the remedy."""


class ProtocolError(SandboxError):
    """The guest broke the protocol: a malformed, oversized or impossible frame."""
