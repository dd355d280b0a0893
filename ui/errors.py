"""Errors on the page: one clear sentence, never a traceback. What is the program's own fault is logged."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tted_core import TTEDError
from tted_core.errors import Interrupted
from ui.running import NotYet
from ui.text import in_page_words, markdown_escaped

logger = logging.getLogger(__name__)

FAULT = (
    "This part failed by a fault in the program, not in your input: reload the page, and if it fails again, "
    "report to the server's administrator the number **{number}**, under which its log has the details."
)

WRONG_UPLOADS = {
    "file-uploader-invalid-extension": "The uploaded file has another ending than the ones that the card names; "
    "rename it, or choose another file.",
    "filename-contains-null-bytes": "The uploaded file's name contains a null byte; rename it.",
}
"""What Streamlit refuses that a browser wouldn't have sent, by its own name for it."""


@contextmanager
def show_errors() -> Iterator[None]:
    """Show what the core says of bad input, or that the program is at fault, and go on below."""
    try:
        yield
    except NotYet:
        pass
    except Interrupted as stopped:
        st.info(markdown_escaped(str(stopped)))
        # Any click runs the page, and with it the work; several works of one page may have been stopped.
        st.button("Run again", type="primary", key=f"again-{uuid.uuid4().hex}")
    except TTEDError as error:
        show_error(error)
    except Exception as error:
        refused = WRONG_UPLOADS.get(getattr(error, "error_id", None) or "")
        if refused:
            st.error(refused, icon=":material/warning:")
            return
        number = uuid.uuid4().hex[:8]
        logger.exception("fault %s", number)
        st.error(FAULT.format(number=number), icon=":material/warning:")


def show_error(error: TTEDError) -> None:
    """Show one error."""
    st.error(markdown_escaped(in_page_words(str(error))), icon=":material/warning:")
