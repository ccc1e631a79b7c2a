// Finds, filters and sorts the rows of the ledger; without it the table is whole, in the text's order.
(function () {
  "use strict";

  // Rows drawn at first: a thousand take a phone seconds.
  const FIRST = 100;

  // Letters and digits as people type them: no case, no separators of thousands.
  function folded(text) {
    return text.toLowerCase().replace(/(\d),(?=\d{3})/g, "$1");
  }

  function choice(name, every, values) {
    const label = document.createElement("label");
    label.textContent = name;
    const select = document.createElement("select");
    for (const [value, text] of [["", every], ...values.map((v) => [v, v])]) {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = text;
      select.append(option);
    }
    label.append(select);
    return [label, select];
  }

  function enhance(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, number) => ({
      row,
      number,
      text: folded(`${row.id} ${row.textContent}`),
      source: row.cells[4].textContent.split(",")[0],
      verdict: row.cells[3].textContent,
    }));
    const values = (key) => [...new Set(rows.map((one) => one[key]))].sort();

    const form = document.createElement("form");
    form.className = "sb-finder";
    form.setAttribute("role", "search");
    form.addEventListener("submit", (event) => event.preventDefault());
    const words = document.createElement("label");
    words.textContent = "Find";
    const input = document.createElement("input");
    input.type = "search";
    input.autocomplete = "off";
    words.append(input);
    const [ofSource, source] = choice("Source", "every source", values("source"));
    const [ofVerdict, verdict] = choice("Verdict", "every verdict", values("verdict"));
    const count = document.createElement("output");
    const all = document.createElement("button");
    all.type = "button";
    form.append(words, ofSource, ofVerdict, count, all);
    box.before(form);
    let most = FIRST;

    function filter() {
      const parts = folded(input.value).split(/\s+/).filter(Boolean);
      let fitting = 0;
      for (const one of rows) {
        const fits =
          (!source.value || one.source === source.value) &&
          (!verdict.value || one.verdict === verdict.value) &&
          parts.every((part) => one.text.includes(part));
        fitting += fits;
        one.row.hidden = !fits || fitting > most;
      }
      const first = fitting > most ? `, the first ${most} shown` : "";
      count.textContent = `${fitting} of ${rows.length} rows${first}`;
      all.hidden = fitting <= most;
      all.textContent = `Show all ${fitting}`;
    }
    form.addEventListener("input", () => {
      most = FIRST;
      filter();
    });
    all.addEventListener("click", () => {
      most = rows.length;
      filter();
    });

    function sortBy(head, index) {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      // the place of a claim is its place in the ledger, not in the alphabet
      const last = index === head.parentNode.cells.length - 1;
      const key = ({ row, number }) => (last ? number : row.cells[index].textContent);
      const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
      rows.sort(
        (a, b) => (down ? -1 : 1) * order(key(a), key(b)) || a.number - b.number,
      );
      body.append(...rows.map((one) => one.row));
      filter();
    }
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      if (!("sort" in head.dataset)) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sortBy(head, index));
      head.replaceChildren(button);
    });

    // A link to a row shows it, whatever is being looked for, with its evidence unfolded.
    function follow() {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!row || !body.contains(row)) return;
      form.reset();
      filter();
      row.hidden = false;
      row.querySelector("details").open = true;
      row.scrollIntoView({ block: "center" });
    }
    window.addEventListener("hashchange", follow);
    filter();
    follow();
    document.documentElement.dataset.ledger = "ready";
  }

  document.querySelectorAll(".sb-ledger").forEach(enhance);
})();
