// The changes as one list: what each accounts for, the most costly being first.

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const COLUMNS = {
  kind: { title: "kind", value: (line) => line.kind },
  share: { title: "share", value: (line) => line.share, shown: (line) => percent(line.share) },
  text: { title: "change", value: (line) => line.words },
};
const FIGURES = ["share"];

class Table {
  // `unit` names what adds up, "cost" or a share; `sort` is {column, down}, and is kept; `choose(number)` selects the
  // outcome that stands for a change.
  constructor(lines, styles, unit, sort, choose) {
    this.lines = lines;
    this.unit = unit;
    this.sort = sort;
    this.choose = choose;
    this.names = Object.keys(COLUMNS);
    this.heads = this.names.map((name) => this.head(name));
    for (const line of lines) line.row = this.row(line, styles);
    this.body = element("tbody");
    const table = element("table", { "aria-label": "Changes" },
      element("thead", "", element("tr", "", ...this.heads)), this.body);
    this.element = element("div", "list", table);
    this.body.addEventListener("click", (event) => this.pick(event.target.closest("tr")));
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.fill();
  }

  head(name) {
    const title = name === "share" && this.unit !== "cost" ? this.unit : COLUMNS[name].title;
    // Not for the Tab key: the list is one stop, and from its first row ↑ leads here.
    const sorter = button(title, `Sort by ${title}`, { tabindex: -1 });
    sorter.addEventListener("click", () => {
      this.sort.down = this.sort.column === name ? !this.sort.down : FIGURES.includes(name);
      this.sort.column = name;
      this.fill();
    });
    sorter.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "ArrowDown") this.focus();
      else if (step) this.sorter(this.names.indexOf(name) + step)?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    const head = element("th", { scope: "col", class: name }, sorter);
    head.dataset.name = name;
    return head;
  }

  sorter(number) {
    return this.heads[number]?.firstChild;
  }

  row(line, styles) {
    const row = element("tr", { tabindex: -1 });
    row.dataset.kind = line.kind;
    row.classList.toggle("claim", line.flagged);
    row.dataset.op = line.number;
    for (const name of this.names) {
      const { shown, value } = COLUMNS[name];
      const cell = element("td", name);
      if (name === "kind") {
        const sign = element("span", { class: "glyph", "aria-hidden": "true" }, styles[line.kind].glyph);
        cell.append(sign, " ", element("span", "word", value(line)));
      } else if (name === "text") {
        cell.append(element("div", "clamp", line.words));
      } else cell.append((shown ?? value)(line));
      row.append(cell);
    }
    return row;
  }

  // Puts the rows into their order.
  fill() {
    const { column, down } = this.sort;
    const { value } = COLUMNS[column] ?? COLUMNS.share;
    const compare = (one, other) => {
      const [a, b] = [value(one), value(other)];
      return typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
    };
    const flags = (line) => Number(column === "share" && line.flagged); // they stand before all costs
    this.lines.sort((one, other) => flags(other) - flags(one) || (down ? -1 : 1) * compare(one, other) || one.number - other.number);
    this.body.replaceChildren(...this.lines.map(({ row }) => row));
    for (const head of this.heads) {
      if (head.dataset.name === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    this.rove(this.current());
  }

  // Shows the rows of what is shown.
  filter(shown) {
    for (const line of this.lines) line.row.hidden = !shown.has(line);
    this.rove(this.current());
  }

  visible() {
    return this.lines.map(({ row }) => row).filter((row) => !row.hidden);
  }

  // The row that has the focus, or will have it.
  current() {
    const rows = this.visible();
    return rows.find((row) => row.tabIndex === 0) ?? rows[0];
  }

  rove(row) {
    for (const line of this.lines) line.row.tabIndex = line.row === row ? 0 : -1;
  }

  key(event) {
    const rows = this.visible();
    const here = rows.indexOf(event.target);
    const goals = { ArrowDown: rows[here + 1], ArrowUp: rows[here - 1], Home: rows[0], End: rows.at(-1) };
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowUp" && here === 0) this.sorter(0).focus();
    else if (event.key in goals) this.focus(goals[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.pick(event.target);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(row = this.current()) {
    if (!row) return;
    this.rove(row);
    row.focus();
  }

  pick(row) {
    if (!row) return;
    this.rove(row);
    this.choose(Number(row.dataset.op));
  }

  // Marks the row of a change, or of none (null), and brings it into view, without scrolling the page.
  mark(change) {
    const chosen = change === null ? undefined : this.lines.find((line) => line.change === change);
    for (const line of this.lines) line.row.toggleAttribute("data-selected", line === chosen);
    const row = chosen?.row;
    if (!row || row.hidden) return;
    this.rove(row);
    const { top, bottom } = row.getBoundingClientRect();
    const box = this.element.getBoundingClientRect();
    if (top < box.top + row.offsetHeight || bottom > box.bottom) {
      this.element.scrollTop += top - box.top - box.height / 3;
    }
  }
}
