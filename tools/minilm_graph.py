"""Write the graph of the encoder minilm, which ONNX Runtime runs: ``python -m tools.minilm_graph``.

The graph has no weights of its own. It names those of the published ``model.safetensors``, whose SHA-256 is
checked before use, by their positions in that file.
"""

import json
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from tted_core.encoders import minilm

OPSETS = {"": 20, "com.microsoft": 1}
"""ONNX's operators, and those of ONNX Runtime, for its attention."""

FORMAT = 10
"""The version of the file format, which ONNX Runtime reads from 1.18 on."""

LAYERS, HEADS, WIDTH = 6, 12, 384


class Graph:
    """A graph under construction; values are named in the order of their making."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}
        content = (minilm.find_model_folder() / minilm.WEIGHTS).read_bytes()
        self._start = 8 + int.from_bytes(content[:8], "little")
        self._header = json.loads(content[8 : self._start])

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operation, and return the name of its result."""
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **attributes))
        return name

    def constant(self, *values: int) -> str:
        """The name of a vector of integers."""
        name = ",".join(map(str, values))
        self.constants[name] = numpy_helper.from_array(np.array(values), name)
        return name

    def weight(self, name: str) -> str:
        """The name of a weight."""
        entry = self._header[name]
        assert entry["dtype"] == "F32"
        first, end = entry["data_offsets"]
        tensor = TensorProto(
            name=name, dims=entry["shape"], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL
        )
        where = {"location": minilm.WEIGHTS, "offset": self._start + first, "length": end - first}
        for key, value in where.items():
            tensor.external_data.add(key=key, value=str(value))
        self.constants[name] = tensor
        return name

    def normalised(self, x: str, name: str) -> str:
        """A normalised layer."""
        parts = (self.weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, *parts, axis=-1, epsilon=1e-12)

    def dense(self, x: str, name: str) -> str:
        """A dense layer of vectors, one in each row."""
        return self.add("Gemm", x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), transB=1)


def graph() -> ModelProto:
    """The graph: (n, p) ids of the word pieces of n texts -> (n, 384) vectors of length 1."""
    g = Graph()
    texts_pieces = g.add("Shape", "ids")
    rows, blocks = g.constant(-1, WIDTH), g.add("Concat", texts_pieces, g.constant(WIDTH), axis=0)
    pieces = g.add("Squeeze", g.add("Shape", "ids", start=1))
    one = numpy_helper.from_array(np.array(1), "one"), numpy_helper.from_array(np.array(0), "zero")
    g.constants |= {constant.name: constant for constant in one}
    tables = {
        each: g.weight(f"embeddings.{each}_embeddings.weight") for each in ("word", "position", "token_type")
    }
    positions = g.add("Gather", tables["position"], g.add("Range", "zero", pieces, "one"))
    beside = g.add("Add", positions, g.add("Gather", tables["token_type"], "zero"))
    x = g.add("Reshape", g.add("Add", g.add("Gather", tables["word"], "ids"), beside), rows)
    x = g.normalised(x, "embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        parts = (g.dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        parts = [g.add("Reshape", part, blocks) for part in parts]
        attended = g.add("MultiHeadAttention", *parts, domain="com.microsoft", num_heads=HEADS)
        attended = g.dense(g.add("Reshape", attended, rows), f"{layer}.attention.output.dense")
        x = g.normalised(g.add("Add", attended, x), f"{layer}.attention.output.LayerNorm")
        inner = g.add("Gelu", g.dense(x, f"{layer}.intermediate.dense"))
        x = g.normalised(
            g.add("Add", g.dense(inner, f"{layer}.output.dense"), x), f"{layer}.output.LayerNorm"
        )
    mean = g.add("ReduceMean", g.add("Reshape", x, blocks), g.constant(1), keepdims=0)
    g.nodes.append(helper.make_node("LpNormalization", [mean], ["vectors"], axis=-1, p=2))
    return helper.make_model(
        helper.make_graph(
            g.nodes,
            "minilm",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "pieces"])],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", WIDTH])],
            list(g.constants.values()),
        ),
        opset_imports=[helper.make_opsetid(*each) for each in OPSETS.items()],
        ir_version=FORMAT,
    )


if __name__ == "__main__":
    minilm.GRAPH.write_bytes(graph().SerializeToString(deterministic=True))
