"""Stand-ins: what a document uses and does not give, where its role is plain from use."""
