"""Turn the trained encoder into the int8 ONNX file of `packages/lithify-vectors`.

    python training/recall/export_encoder.py build/encoder/encoder.safetensors encoder.onnx

Needs torch, transformers, onnx, onnxscript and onnxruntime. Prints the digest of the file and the
cosines of its vectors with those of the float encoder.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from pairs import HERE, read_logs
from safetensors.torch import load_file
from train_encoder import DEVICE, all_vectors, base_folder, encoder_of, read_base
from transformers import BertModel

from lithify.search.vectors import pieces, vector_text


class Hidden(torch.nn.Module):
    """The last layer for every word piece of one text; all pieces count, so there is no mask."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.model(input_ids=input_ids).last_hidden_state
        return hidden


def export(model: BertModel, path: Path) -> None:
    """Write the encoder as ONNX in float32, then with its weights as bytes.

    Signed bytes would overflow on x86 processors without VNNI, and give other vectors there.
    """
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            Hidden(model).eval(),
            (torch.ones(1, 9, dtype=torch.long),),
            str(whole),
            input_names=["input_ids"],
            output_names=["hidden"],
            dynamic_axes={"input_ids": {1: "pieces"}, "hidden": {1: "pieces"}},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, path, weight_type=QuantType.QUInt8, per_channel=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("path", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--logs", type=Path, default=HERE / "logs")
    args = parser.parse_args()
    config, _, vocabulary = read_base(args.base or base_folder())
    given = {name: value.float() for name, value in load_file(args.weights).items()}
    model = encoder_of(config, given).cpu().eval()
    export(model, args.path)
    session = onnxruntime.InferenceSession(str(args.path), providers=["CPUExecutionProvider"])
    texts = [vector_text(entry.text) for log in read_logs(args.logs) for entry in log.entries]
    rows = [pieces(text, vocabulary) for text in texts[:: max(1, len(texts) // 500)]]
    near = []
    for row, wanted in zip(rows, all_vectors(model.to(DEVICE), rows), strict=True):
        mean = session.run(None, {"input_ids": np.array([row])})[0][0].mean(axis=0)
        near.append(float(mean @ wanted / np.linalg.norm(mean)))
    print(f"cosine with float: mean {np.mean(near):.4f}, lowest {min(near):.4f}")
    print(hashlib.sha256(args.path.read_bytes()).hexdigest(), args.path.stat().st_size)


if __name__ == "__main__":
    main()
