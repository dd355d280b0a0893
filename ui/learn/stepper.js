// The player: goes through the steps that Python worked out. It does no arithmetic of its own.
export default function (component) {
  const root = component.parentElement.querySelector(".stepper");
  const player = (root.player ??= new Player(root));
  player.load(component.data);
  return () => player.pause();
}

class Player {
  constructor(root) {
    this.root = root;
    this.step = 0;
    this.timer = null;
    this.parts = Object.fromEntries(
      ["sentence", "trees", "forest", "ways", "subtrees", "legend", "speed", "pairs", "slider"].map((name) =>
        [name, root.querySelector(`.${name}`)]));
    this.buttons = Object.fromEntries([...root.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
    for (const [name, button] of Object.entries(this.buttons)) button.addEventListener("click", () => this.do(name));
    this.parts.slider.addEventListener("input", () => this.go(Number(this.parts.slider.value)));
    this.parts.pairs.addEventListener("change", () => this.go(Number(this.parts.pairs.value)));
    root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.data && this.drawTrees()).observe(this.parts.trees);
  }

  load(data) {
    const again = this.data?.id === data.id;
    const first = !this.data;
    this.data = data;
    for (const [name, value] of Object.entries(data.colours)) this.root.style.setProperty(`--${name}`, value);
    // The largest table keeps its place, so that nothing beside or below it moves.
    const [rows, columns] = data.sides.map((side) => side.labels.length + 1);
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--rows", rows);
    if (again) return this.draw();
    const asked = Number(new URL(window.location).searchParams.get("step"));
    this.step = first && Number.isInteger(asked) ? Math.min(Math.max(asked, 0), data.steps.length - 1) : 0;
    this.parts.slider.max = data.steps.length - 1;
    this.parts.pairs.replaceChildren(...data.jumps.map((jump) => html("option", { value: jump.at }, jump.name)));
    const letters = data.sides.every((side) => side.letters);
    this.parts.legend.replaceChildren(...(letters ? [] : data.sides.flatMap((side) =>
      side.labels.slice(1).map((label, index) =>
        html("li", {}, html("b", {}, `${side.name} ${index + 1}`), html("bdi", {}, label))))));
    this.draw();
    this.pause();
  }

  do(name) {
    const last = this.data.steps.length - 1;
    if (name === "play") return this.timer === null ? this.play() : this.pause();
    return this.go({ first: 0, back: this.step - 1, forward: this.step + 1, last }[name]);
  }

  key(event) {
    const jump = (direction) => {
      const starts = this.data.jumps.map((each) => each.at);
      return direction > 0 ? starts.find((at) => at > this.step) ?? this.step
        : starts.findLast((at) => at < this.step) ?? 0;
    };
    const inField = /^(INPUT|SELECT)$/.test(event.composedPath()[0].tagName);
    const actions = {
      ArrowRight: () => this.do("forward"), ArrowLeft: () => this.do("back"),
      Home: () => this.do("first"), End: () => this.do("last"),
      PageDown: () => this.go(jump(1)), PageUp: () => this.go(jump(-1)),
      " ": () => this.do("play"),
    };
    if (inField || !actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.composedPath()[0].tagName === "BUTTON") return; // the button's own key
    event.preventDefault();
    actions[event.key]();
  }

  play() {
    if (this.step === this.data.steps.length - 1) this.step = 0;
    const tick = () => {
      this.show(this.step + 1);
      if (this.step === this.data.steps.length - 1) return this.pause();
      this.timer = setTimeout(tick, Number(this.parts.speed.value));
    };
    this.parts.sentence.setAttribute("aria-live", "off"); // a screen reader could not keep up
    this.timer = setTimeout(tick, 120);
    this.label();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.parts.sentence.setAttribute("aria-live", "polite");
    this.label();
    if (this.data) this.remember();
  }

  label() {
    const playing = this.timer !== null;
    this.buttons.play.textContent = playing ? "Pause" : "Play";
    this.buttons.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  go(step) {
    this.show(step);
    this.pause();
  }

  show(step) {
    this.step = Math.min(Math.max(step, 0), this.data.steps.length - 1);
    this.draw();
  }

  // The step stands in the address, so that a link opens the page where it is now.
  remember() {
    const url = new URL(window.location);
    if (this.step) url.searchParams.set("step", this.step);
    else url.searchParams.delete("step");
    if (url.href !== window.location.href) window.history.replaceState({}, "", url);
  }

  draw() {
    const { data, step, parts } = this;
    const now = data.steps[step];
    const last = data.steps.length - 1;
    parts.sentence.textContent = now.text;
    parts.slider.value = step;
    parts.slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
    this.root.querySelector("output").textContent = `${step} of ${last}`;
    parts.pairs.value = data.jumps.findLast((jump) => jump.at <= step).at;
    for (const name of ["first", "back"]) this.buttons[name].disabled = step === 0;
    for (const name of ["forward", "last"]) this.buttons[name].disabled = step === last;
    const walked = data.steps.slice(data.walk, step + 1).filter((each) => each.walk && each.table === now.table);
    const cell = now.cell ? data.steps[data.steps[step].source ?? step] : null;
    const winner = cell?.ways.length ? cell.ways[cell.best[0]] : null;
    const view = {
      step,
      table: now.table,
      cell: now.cell,
      filled: (at) => at <= step,
      origins: cell ? cell.ways.map((way) => way.from) : [],
      winner: winner?.from,
      used: winner?.move === "subtree" ? now.cell : null,
      walked: walked.map((each) => each.cell),
    };
    const go = (at) => this.go(at);
    drawForestTable(parts.forest, data, view, go);
    drawTreeTable(parts.subtrees, data, view, go);
    drawWays(parts.ways, cell, data.glyphs);
    this.drawTrees();
  }

  drawTrees() {
    const { data, step } = this;
    const now = data.steps[step];
    const table = data.tables[now.table];
    const done = data.steps.slice(data.walk, step + 1).filter((each) => each.walk);
    const kinds = [{}, {}];
    const pairs = [];
    for (const { walk, cell: [i, j] } of done) {
      const mark = { kind: walk.kind, glyph: data.glyphs[walk.kind] };
      if (walk.kind === "subtree") continue;
      if (walk.kind !== "insert") kinds[0][i] = mark;
      if (walk.kind !== "delete") kinds[1][j] = mark;
      if (walk.kind === "match" || walk.kind === "replace") pairs.push([i, j]);
    }
    const current = (numbers, node) => (node === numbers?.[0] ? null : node); // the first stands for no node
    const forest = (numbers, until) => (numbers && !now.walk ? [numbers[1], until ?? numbers.at(-1)] : null);
    drawTrees(this.parts.trees, data, {
      pairs,
      description: "The two trees in postorder",
      sides: [
        { kinds: kinds[0], current: current(table?.rows, now.cell?.[0]), forest: forest(table?.rows, now.cell?.[0]) },
        { kinds: kinds[1], current: current(table?.columns, now.cell?.[1]), forest: forest(table?.columns, now.cell?.[1]) },
      ],
    });
  }
}
