"""Streamlit's command, told at once that ``app.py`` lists the pages: what ``tted app`` runs.

The processes that the first page waits for start before it.

Streamlit takes the files of pages/ for all pages until ``app.py`` has run, so the first visitor of a server would
read at a former page's address that there is no such page.
"""

import runpy

from streamlit.runtime.pages_manager import PagesManager

from ui.processes import start_processes

if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    start_processes()
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
