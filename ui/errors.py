"""Errors on the page: one clear sentence, never a traceback. Bugs of the program are logged."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tted_core import TTEDError
from tted_core.errors import Interrupted
from ui.running import NotYet
from ui.text import in_page_words, markdown_escaped

_logger = logging.getLogger(__name__)

FAULT = (
    "This part hit a bug in the program; your input is not the cause. Reload the page. If it fails again, report "
    "the number **{number}** to the server's administrator, whose log has the details under it."
)

WRONG_UPLOADS = {
    "file-uploader-invalid-extension": "The uploaded file's ending isn't one of those listed; rename the file, "
    "or choose another one.",
    "filename-contains-null-bytes": "The uploaded file's name contains a null byte; rename it.",
}
"""Messages for uploads that Streamlit refuses, by its ids of these errors."""


@contextmanager
def show_errors() -> Iterator[None]:
    """Show errors that are raised inside, and continue below; log bugs of the program."""
    try:
        yield
    except NotYet:
        pass
    except Interrupted as stopped:
        st.info(markdown_escaped(str(stopped)))
        # Any click runs the page, and so the work again; several jobs of a page may have been stopped.
        st.button("Run again", type="primary", key=f"again-{uuid.uuid4().hex}")
    except TTEDError as error:
        show_error(error)
    except Exception as error:
        refused = WRONG_UPLOADS.get(getattr(error, "error_id", None) or "")
        if refused:
            st.error(refused, icon=":material/warning:")
            return
        number = uuid.uuid4().hex[:8]
        _logger.exception("fault %s", number)
        st.error(FAULT.format(number=number), icon=":material/warning:")


def show_error(error: TTEDError) -> None:
    """Show one error."""
    st.error(markdown_escaped(in_page_words(error.text)), icon=":material/warning:")
