"""The wires that clients speak to a model: one module each, `read` a request and `write` the answer."""
