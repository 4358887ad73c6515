"""The writers of drafts: one protocol, an offline engine and any language model."""
