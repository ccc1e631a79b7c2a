// Two figures to choose, and the reason of each cell beside the grid; without it the cells lead to
// their pairs in the list.
(function () {
  "use strict";

  function enhance(box) {
    const grid = box.querySelector(".sb-matrix table");
    const heads = [...grid.querySelectorAll("th[data-key]")];
    const rows = new Map(
      [...box.querySelectorAll(".sb-pairs tr[data-a]")].map((row) => [
        `${row.dataset.a} ${row.dataset.b}`,
        row,
      ]),
    );
    const links = [...grid.querySelectorAll("a.sb-mark")];

    const form = document.createElement("form");
    form.className = "sb-choice";
    form.addEventListener("submit", (event) => event.preventDefault());

    function choice(name) {
      const label = document.createElement("label");
      label.textContent = name;
      const select = document.createElement("select");
      let group;
      for (const head of heads) {
        if (!group || group.label !== head.dataset.set) {
          group = document.createElement("optgroup");
          group.label = head.dataset.set;
          select.append(group);
        }
        const option = document.createElement("option");
        option.value = head.dataset.key;
        option.textContent = head.dataset.name;
        group.append(option);
      }
      label.append(select);
      form.append(label);
      return select;
    }
    const first = choice("May this figure");
    const second = choice("be compared with this one?");
    const answer = document.createElement("output");
    answer.setAttribute("aria-live", "polite");
    form.append(answer);
    box.prepend(form);

    // A pair has one row, whichever of the two comes first.
    function rowOf(a, b) {
      return rows.get(`${a} ${b}`) || rows.get(`${b} ${a}`);
    }

    // The two figures of a pair and the answer, as the list has them.
    function words(row) {
      const one = row.closest("details").querySelector("summary").textContent;
      const short = row.querySelector(".sb-status").textContent;
      return `${one} with ${row.cells[0].textContent}: ${short}`;
    }

    function reason(row) {
      return row.querySelector(".sb-reason").cloneNode(true).children;
    }

    function told(tag, text, name) {
      const element = document.createElement(tag);
      element.textContent = text;
      if (name) element.className = name;
      return element;
    }

    function tell() {
      const row = rowOf(first.value, second.value);
      for (const link of links) link.classList.remove("sb-chosen");
      if (!row) {
        answer.removeAttribute("data-status");
        answer.replaceChildren(told("p", "These are one and the same figure."));
        return;
      }
      answer.dataset.status = row.dataset.status;
      const address = `#${row.id}`;
      const here = told("a", "Link to this answer");
      here.href = address;
      answer.replaceChildren(
        told("strong", row.querySelector(".sb-status").textContent),
        ...reason(row),
        here,
      );
      for (const link of links)
        if (link.getAttribute("href") === address) link.classList.add("sb-chosen");
    }

    function choose(row) {
      first.value = row.dataset.a;
      second.value = row.dataset.b;
      tell();
    }

    form.addEventListener("input", tell);
    const pairOf = (link) => document.getElementById(link.getAttribute("href").slice(1));
    const note = told("output", "", "sb-told");
    note.setAttribute("aria-live", "polite");
    box.querySelector(".sb-matrix").after(note);

    function show(link) {
      const row = pairOf(link);
      choose(row);
      note.dataset.status = row.dataset.status;
      note.replaceChildren(told("strong", words(row)), ...reason(row));
    }

    // One stop of the tab key; arrows move from cell to cell.
    const cells = [...grid.tBodies[0].rows]
      .filter((row) => row.querySelector("th[data-key]"))
      .map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector("a.sb-mark")));
    for (const link of links) {
      link.tabIndex = -1;
      link.title = words(pairOf(link));
    }
    links[0].tabIndex = 0;
    function focus(link) {
      for (const other of links) other.tabIndex = -1;
      link.tabIndex = 0;
      link.focus();
    }
    grid.addEventListener("click", (event) => {
      const link = event.target.closest("a.sb-mark");
      if (!link) return;
      event.preventDefault();
      focus(link);
      show(link);
      history.replaceState(null, "", link.getAttribute("href"));
    });
    const MOVES = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    grid.addEventListener("keydown", (event) => {
      const move = MOVES[event.key];
      const link = event.target.closest("a.sb-mark");
      if (!move || !link) return;
      event.preventDefault();
      let y = cells.findIndex((row) => row.includes(link));
      let x = cells[y].indexOf(link);
      do {
        y += move[0];
        x += move[1];
      } while (cells[y] && x in cells[y] && !cells[y][x]);
      if (cells[y] && cells[y][x]) {
        focus(cells[y][x]);
        show(cells[y][x]);
      }
    });

    // A link to a pair chooses it.
    function follow() {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!row || !row.dataset.a || !box.contains(row)) return false;
      choose(row);
      form.scrollIntoView({ block: "center" });
      return true;
    }
    window.addEventListener("hashchange", follow);
    if (!follow()) {
      first.value = box.dataset.first;
      second.value = box.dataset.second;
      tell();
    }
    document.documentElement.dataset.compare = "ready";
  }

  document.querySelectorAll(".sb-compare").forEach(enhance);
})();
