"""A masked language model of a few kilobytes with random weights, as a folder that the real loading code reads."""

from pathlib import Path

WORDS = """
I am is was He walking running in the cold cool hot rain snow night . , a of and plant root leaf ##s light
water sun grow ##ing drink reef fish coral live near warm sea
"""
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *WORDS.split()]


def save_tiny_masked_model(folder: Path, *, head: bool = True) -> Path:
    """Save it; without its head it is a plain encoder, which can't predict."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(VOCABULARY), encoding="utf-8")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=48,
        initializer_range=0.5,  # the usual 0.02 leaves every prediction nearly uniform
    )
    # In float64, in which no kernel of any processor is 1e-6 off the slow reference; in float32 some are.
    model = BertForMaskedLM(config).double()
    (model if head else model.bert).save_pretrained(folder)
    BertTokenizer(str(vocabulary), do_lower_case=False).save_pretrained(folder)
    return folder
