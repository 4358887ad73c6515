"""Where the encoder and its vocabulary lie. Lithify reads the files and does not import this module."""

from pathlib import Path

ENCODER = Path(__file__).with_name("encoder.onnx")
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
