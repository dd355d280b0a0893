// The page's panel that explains the selected row (`.st-key-why`), which is Streamlit's own: beside the maps it stands in
// place of the list of changes, elsewhere at the bottom of the window. Hidden without a selection.

class Drawer {
  constructor(outline) {
    this.outline = outline;
    this.arrivals = new MutationObserver(() => this.panel?.isConnected || this.makeRoom());
    this.onKey = (event) => event.key === "Escape" && !event.target.matches("input") && this.leave();
  }

  // Finds the panel, which comes after the outline, maybe long after, and may be another one when the page has run again.
  makeRoom() {
    const { outline } = this;
    const isWanted = outline.selected !== null && !outline.presentation.on;
    const panel = isWanted ? document.querySelector(".st-key-why") : null;
    if (panel !== this.panel) {
      this.release();
      this.panel = panel;
      panel?.addEventListener("keydown", this.onKey);
    }
    if (isWanted) this.arrivals.observe(document.body, { childList: true, subtree: true });
    else this.arrivals.disconnect();
    outline.root.classList.toggle("explained", Boolean(panel));
    if (!panel) return;
    panel.dataset.drawer = outline.root.clientWidth >= BESIDE ? "beside" : "below";
    panel.style.backgroundColor = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  }

  release() {
    this.arrivals.disconnect();
    if (!this.panel) return;
    delete this.panel.dataset.drawer;
    this.panel.removeEventListener("keydown", this.onKey);
    this.panel = null;
  }

  // Into the drawer: to its first button.
  enter() {
    const buttons = this.panel?.querySelectorAll("button:not(:disabled)") ?? [];
    [...buttons].find((button) => button.checkVisibility())?.focus(); // on a phone, each has a hidden twin
  }

  // Back to the row, which is no longer selected.
  leave() {
    this.outline.choose(null);
    this.outline.focus(this.outline.current());
  }
}
