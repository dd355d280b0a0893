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
      settled: () => {
        this.fitting = false;
        if (this.data) this.draw();
      },
    });
    part("controls").append(this.presentation.button);
    const names = ["sentence", "side", "trees", "work", "forest", "ways", "subtrees", "legend", "speed", "pairs"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    this.parts.pairs.addEventListener("change", () => this.go(Number(this.parts.pairs.value)));
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
    // The largest table keeps its place, so that nothing beside or below it moves.
    const [rows, columns] = data.sides.map((side) => side.labels.length + 1);
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--rows", rows);
    this.root.style.setProperty("--digits", Math.max(...data.steps.map((each) => (each.value ?? "").length)));
    if (again) return this.draw();
    const length = ({ ways = [] }) => ways.map((way) => `${way.move} ${way.from} ${way.start} ${way.added}`).join().length;
    this.fullest = data.steps.reduce((most, each) => (length(each) > length(data.steps[most]) ? each.at : most), 0);
    const asked = Number(new URL(window.location).searchParams.get("step"));
    this.place = first && Number.isInteger(asked) ? Math.min(Math.max(asked, 0), this.end) : 0;
    this.parts.pairs.replaceChildren(...data.jumps.map((jump) => element("option", { value: jump.at }, jump.name)));
    const letters = data.sides.every((side) => side.letters);
    this.parts.legend.replaceChildren(...(letters ? [] : data.sides.flatMap((side) =>
      side.labels.slice(1).map((label, index) =>
        element("li", {}, element("b", {}, `${side.name} ${index + 1}`), element("bdi", {}, label))))));
    this.draw();
    return this.arrived();
  }

  // Whether the fullest step would have room: the longest ways, the longest sentence; its height is kept for all.
  fits() {
    const { place, data, parts, root } = this;
    root.style.removeProperty("--sentence");
    this.place = this.fullest;
    if (this.fitting) this.arrange();
    else this.draw();
    this.fitting = true;
    parts.sentence.textContent = data.longest;
    const whole = isWhole(root);
    root.style.setProperty("--sentence", `${Math.floor(parts.sentence.getBoundingClientRect().height)}px`);
    this.place = place;
    return whole;
  }

  // Where the next table begins, or the one before.
  jump(direction) {
    const starts = this.data.jumps.map((each) => each.at);
    return direction > 0 ? starts.find((at) => at > this.place) ?? this.place
      : starts.findLast((at) => at < this.place) ?? 0;
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

  // The step stands in the address, so that a link opens the page where it is now.
  arrived() {
    const url = new URL(window.location);
    if (this.place) url.searchParams.set("step", this.place);
    else url.searchParams.delete("step");
    if (url.href !== window.location.href) window.history.replaceState({}, "", url);
  }

  draw() {
    const { data, place: step, parts } = this;
    const now = data.steps[step];
    this.drawControls();
    parts.sentence.textContent = now.text;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.end}`);
    this.root.querySelector("output").textContent = `${step} of ${this.end}`;
    parts.pairs.value = data.jumps.findLast((jump) => jump.at <= step).at;
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
    this.arrange();
  }

  arrange() {
    const { side, work, subtrees } = this.parts;
    const home = this.root.matches(".aside") ? side : work; // below the trees there is room
    if (subtrees.parentElement !== home) home.append(subtrees);
    this.drawTrees();
  }

  drawTrees() {
    const { data, place: step } = this;
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
      lean: this.root.classList.contains("lean"),
      description: "The two trees in postorder",
      sides: [
        { kinds: kinds[0], current: current(table?.rows, now.cell?.[0]), forest: forest(table?.rows, now.cell?.[0]) },
        { kinds: kinds[1], current: current(table?.columns, now.cell?.[1]), forest: forest(table?.columns, now.cell?.[1]) },
      ],
    });
  }
}
