// A player of steps: buttons, a slider and keys to go through them, and playing by itself. Whoever extends it has
// `end` (the last position), `draw()` (show the position), and `arrived()` (a user has gone somewhere, or paused).

class Player {
  // `buttons` are named first, back, next, last, and play if it can play by itself; `how` is that of its presentation.
  constructor(root, buttons, slider, how) {
    Object.assign(this, { root, buttons, slider, position: 0, timer: null });
    for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", () => this.do(name));
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    const [back, next] = [() => this.do("back"), () => this.do("next")];
    this.keys = { ArrowRight: next, ArrowLeft: back, PageDown: next, PageUp: back }; // the latter by remote controls
    this.presentation = new Presentation(root, how);
  }

  // Listens to the page's keys; returns what ends it. Without a click first the arrows step, as long as the player is
  // in view; other keys belong to the page then.
  listen() {
    return this.presentation.listen(this.keys, (own) => (own ? Object.keys(this.keys) : ["ArrowRight", "ArrowLeft"]));
  }

  do(name) {
    if (name === "play") return this.playing ? this.pause() : this.play();
    return this.go({ first: 0, back: this.position - 1, next: this.position + 1, last: this.end }[name]);
  }

  go(position) {
    const moved = this.turn(position);
    if (this.playing) this.pause();
    else if (moved) this.arrived();
  }

  turn(position) {
    const wanted = Math.min(Math.max(position, 0), this.end);
    if (wanted === this.position) return false;
    this.position = wanted;
    this.draw();
    return true;
  }

  get playing() {
    return this.timer !== null;
  }

  // `wait()` says how many milliseconds a step stays.
  play(wait) {
    const tick = () => {
      this.turn(this.position + 1);
      if (this.position === this.end) this.pause();
      else this.timer = setTimeout(tick, wait());
    };
    if (this.position === this.end) this.turn(0);
    this.timer = setTimeout(tick, 120);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.arrived();
  }

  drawControls() {
    const { position, end, buttons } = this;
    this.slider.max = end;
    this.slider.value = position;
    for (const [name, off] of [["first", 0], ["back", 0], ["next", end], ["last", end]]) {
      buttons[name].setAttribute("aria-disabled", String(position === off)); // stays focused, unlike a disabled one
    }
  }
}
