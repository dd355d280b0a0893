"""After a log-in Streamlit opens the first page; for ten minutes a cookie remembers that another asked for it."""

import streamlit as st

COOKIE = "tted_log_in"
LED = "led-back"
MAX_AGE_SECONDS = 600


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
