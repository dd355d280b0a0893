// The player: goes through the steps that Python worked out. It does no arithmetic of its own.
export default function (component) {
  const root = component.parentElement.querySelector(".stepper");
  const player = (root.player ??= new RunPlayer(root));
  player.load(component.data);
  const deafen = player.listen();
  return () => {
    deafen();
    if (player.playing) player.pause();
  };
}

class RunPlayer extends Player {
  constructor(root) {
    const part = (name) => root.querySelector(`.${name}`);
    const buttons = Object.fromEntries([...root.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
    super(root, buttons, part("slider"), {
      layouts: ["above", "aside", "above lean", "aside lean", "above lean bare", "aside lean bare"],
      fits: () => this.fits(),
      settled: () => this.data && this.show(),
    });
    part("controls").append(this.presentation.button);
    const names = ["sentence", "side", "trees", "work", "forest", "ways", "more", "subtrees", "legend", "speed", "pairs", "number"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    this.parts.pairs.addEventListener("change", () => this.go(Number(this.parts.pairs.value)));
    this.parts.number.addEventListener("change", () => this.go(Math.round(Number(this.parts.number.value))));
    Object.assign(this.keys, {
      Home: () => this.do("first"), End: () => this.do("last"), " ": () => this.do("play"),
      n: () => this.go(this.jump(1)), p: () => this.go(this.jump(-1)),
    });
    new ResizeObserver(() => this.data && this.drawTrees()).observe(this.parts.trees);
  }

  get end() {
    return this.data.steps.length - 1;
  }

  load(data) {
    const again = this.data?.id === data.id;
    const first = !this.data;
    if (!again && this.playing) this.pause();
    this.data = data;
    if (!again) this.enter(data);
    // The largest table keeps its position, so that nothing beside or below it moves.
    const firsts = data.steps.map((each) => data.grids[each.grids[0]]).filter(Boolean);
    const most = (name) => Math.max(...firsts.map((grid) => grid[name].length)) + 1;
    this.root.style.setProperty("--columns", most("columns"));
    this.root.style.setProperty("--rows", most("rows"));
    const texts = data.steps.flatMap((each) => (each.fills ?? []).map(([, , , text]) => text));
    this.root.style.setProperty("--digits", Math.max(...texts.map((text) => text.length)));
    if (again) return this.draw();
    const requested = Number(this.address.get("step"));
    this.position = first && Number.isInteger(requested) ? Math.min(Math.max(requested, 0), this.end) : 0;
    this.parts.pairs.replaceChildren(...data.jumps.map((jump) => element("option", { value: jump.at }, jump.name)));
    const letters = data.sides.every((side) => side.letters);
    this.parts.legend.replaceChildren(...(letters ? [] : data.sides.flatMap((side) =>
      side.labels.slice(1).map((label, index) =>
        element("li", {}, element("b", {}, `${side.name} ${index + 1}`), element("bdi", {}, label))))));
    this.draw();
    return this.arrived();
  }

  // Each table gets its entries as [step, text, look], those of a cell by row and column in the order of their steps.
  enter(data) {
    this.root.setAttribute("aria-label", data.title);
    for (const grid of data.grids) grid.entries = new Map();
    data.steps.forEach((step, at) => {
      step.at = at;
      for (const [grid, i, j, ...entry] of step.fills ?? []) {
        const { entries } = data.grids[grid];
        entries.set(`${i} ${j}`, [...(entries.get(`${i} ${j}`) ?? []), [at, ...entry]]);
      }
    });
    const rows = ({ grids: [first] }) => data.grids[first]?.rows.length ?? 0;
    const size = (step) => 1e6 * rows(step) + JSON.stringify(step.ways ?? []).length;
    this.measured = [data.steps.reduce((most, each, at) => (size(each) > size(data.steps[most]) ? at : most), 0)];
  }

  // Whether the steps with most to show, and this one, have space below the longest sentence; its height is kept.
  fits() {
    const { position, data, parts, root } = this;
    root.style.removeProperty("--sentence");
    const whole = [...new Set([...this.measured, position])].every((step) => {
      this.position = step;
      if (this.drawn === step) this.arrange();
      else this.show();
      parts.sentence.textContent = data.longest;
      return isWhole(root);
    });
    root.style.setProperty("--sentence", `${Math.floor(parts.sentence.getBoundingClientRect().height)}px`);
    this.position = position;
    return whole;
  }

  // Where the next table begins, or the one before.
  jump(direction) {
    const starts = this.data.jumps.map((each) => each.at);
    return direction > 0 ? starts.find((at) => at > this.position) ?? this.position
      : starts.findLast((at) => at < this.position) ?? 0;
  }

  play() {
    super.play(() => Number(this.parts.speed.value));
    this.parts.sentence.setAttribute("aria-live", "off"); // a screen reader could not keep up
    this.label("Pause");
  }

  pause() {
    super.pause();
    this.parts.sentence.setAttribute("aria-live", "polite");
    this.label("Play");
  }

  label(text) {
    this.buttons.play.textContent = text;
    this.buttons.play.setAttribute("aria-label", text);
  }

  // The step is in the address, so that a link opens the page where it is now.
  arrived() {
    const url = new URL(window.location);
    const { address } = this;
    if (this.position) address.set("step", this.position);
    else address.delete("step");
    url.search = address;
    if (url.href !== window.location.href) window.history.replaceState({}, "", url);
  }

  get address() {
    return new URLSearchParams(window.location.search);
  }

  // Shows the step. Should one that was not measured not fit, the presentation is fitted to it, too.
  draw() {
    this.show();
    if (!this.presentation.on || isWhole(this.root) || this.measured.includes(this.position)) return;
    this.measured.push(this.position);
    this.presentation.fit();
  }

  show() {
    const { data, position: step, parts } = this;
    this.drawn = step;
    const now = data.steps[step];
    this.drawControls();
    parts.sentence.textContent = now.text;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.end}`);
    this.root.querySelector("output").textContent = `of ${this.end}`;
    Object.assign(parts.number, { value: step, max: this.end });
    parts.pairs.value = data.jumps.findLast((jump) => jump.at <= step).at;
    const walked = data.steps.slice(data.walk, step + 1).map((each) => each.cell).filter(Boolean);
    const go = (at) => this.go(at);
    drawGrid(parts.forest, data, now.grids[0], now, walked, go);
    drawGrid(parts.subtrees, data, now.grids[1], now, walked, go);
    drawWays(parts.ways, data, now);
    this.arrange();
  }

  arrange() {
    const { side, work, more } = this.parts;
    const home = this.root.matches(".aside") ? side : work; // below the trees there is space
    if (more.parentElement !== home) home.append(more);
    this.drawTrees();
  }

  drawTrees() {
    const { data, position: step } = this;
    const now = data.steps[step];
    const marks = now.shown ?? data.steps.slice(data.walk, step + 1).flatMap((each) => each.marks ?? []);
    const kinds = [{}, {}];
    const links = [];
    for (const [kind, i, j] of marks) {
      kinds[0][i] = kinds[1][j] = { kind, glyph: data.glyphs[kind] };
      if (i && j) links.push([i, j]);
    }
    const [number, ...nodes] = now.cell ?? [];
    const current = (side) => (data.grids[number]?.nothing?.[side] === nodes[side] ? null : nodes[side]);
    drawTrees(this.parts.trees, data, {
      links,
      lean: this.root.classList.contains("lean"),
      description: "The two trees, numbered in postorder",
      sides: [0, 1].map((side) => ({
        kinds: kinds[side], current: current(side), inside: now.inside?.[side],
      })),
    });
  }
}
