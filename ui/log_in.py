"""The provider's log-in, if there is one.

After it Streamlit opens the first page; for ten minutes a cookie remembers that another asked for it.
"""

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from tted_core.errors import NotAllowedError

COOKIE = "tted_log_in"
LED = "led-back"
MAX_AGE_SECONDS = 600


@st.cache_resource(show_spinner=False)
def has_provider() -> bool:
    """Whether the secrets name a provider of log-ins, asked once: without their file nobody is let in by mistake.

    Raises:
        NotAllowedError: there are secrets that can't be read.
    """
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError as error:
        if error.error_id == "no-secrets-found":
            return False
        raise NotAllowedError(
            f"the secrets can't be read, which may name a log-in ({error}); mend them, and start the server again"
        ) from error


def remember_log_in() -> None:
    """Let the browser remember that this visitor is about to log in."""
    _keep(MAX_AGE_SECONDS)


def leads_back() -> bool:
    """Whether a visitor comes from the log-in: once in a session, whose cookies are those that it began with."""
    if (
        COOKIE not in st.context.cookies
        or LED in st.session_state
        or not st.user.to_dict().get("is_logged_in")
    ):
        return False
    st.session_state[LED] = True
    return True


def forget_log_in() -> None:
    """Let the browser forget it, so that it can open the first page again."""
    if st.session_state.get(LED):
        _keep(0)


def _keep(seconds: int) -> None:
    cookie = f"{COOKIE}=1; path=/; SameSite=Lax; max-age={seconds}"
    st.html(f"<script>document.cookie = '{cookie}'</script>", unsafe_allow_javascript=True)
