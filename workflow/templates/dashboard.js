"use strict";
(() => {
  const specs = JSON.parse(document.getElementById("specs").textContent);
  const find = (id) => document.getElementById(id);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const views = {};
  let brushed = null; // ids inside a brush, or null
  let picked = null; // ids that the filter leaves, or null for all

  // Charts ---------------------------------------------------------------------------------------
  const look = () => {
    const style = getComputedStyle(document.documentElement);
    const [ink, soft, line] = ["--ink", "--soft", "--line"].map((n) => style.getPropertyValue(n).trim());
    const text = { labelColor: soft, titleColor: ink };
    return {
      background: "transparent", font: "system-ui, DejaVu Sans, sans-serif",
      view: { stroke: line },
      axis: { ...text, gridColor: line, gridOpacity: 0.6, domainColor: soft, tickColor: soft, labelFontSize: 12, titleFontSize: 12 },
      legend: { ...text, labelFontSize: 12 },
    };
  };

  const inside = (value, range) => range === undefined || (value >= Math.min(...range) && value <= Math.max(...range));

  const listen = (name, view, fields) => {
    view.addEventListener("click", (_, item) => {
      if (item && item.datum && item.datum.id) open(item.datum.id);
    });
    if (!fields) return;
    const data = specs[name].records;
    view.addSignalListener("brush", (_, brush) => {
      const active = brush && Object.keys(brush).length > 0;
      brushed = active
        ? new Set(data.filter((row) => fields.every((f) => inside(row[f], brush[f]))).map((row) => row.id))
        : null;
      filter(false);
    });
  };

  const draw = async (name) => {
    const target = find(`chart-${name}`);
    if (!target || !specs[name]) return;
    if (views[name]) views[name].finalize();
    const { view } = await vegaEmbed(target, specs[name].spec, {
      actions: false, renderer: "svg", config: look(), tooltip: { theme: dark.matches ? "dark" : "light" },
    });
    views[name] = view;
    listen(name, view, specs[name].fields);
    view.signal("picked", picked).runAsync();
    target.dataset.drawn = "true";
  };

  const drawVisible = () => Object.keys(specs).filter((name) => {
    const target = find(`chart-${name}`);
    return target && !target.closest("[hidden]");
  }).forEach(draw);

  const dim = (ids) => {
    picked = ids;
    Object.values(views).forEach((view) => view.signal("picked", ids).runAsync());
  };

  // Table ----------------------------------------------------------------------------------------
  const table = find("table");
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];

  const filter = (forget = true) => {
    if (forget) brushed = null;
    const words = find("search").value.trim().toLowerCase();
    const bin = find("bin").value;
    const origin = find("origin") ? find("origin").value : "";
    const shown = rows.filter((row) => {
      const fits = row.dataset.name.includes(words) && (!bin || row.dataset.bin === bin) &&
        (!origin || row.dataset.origin === origin) && (!brushed || brushed.has(row.dataset.id));
      row.hidden = !fits;
      return fits;
    });
    find("shown").textContent = `${shown.length} of ${rows.length} benchmarks`;
    dim(shown.length === rows.length ? null : shown.map((row) => row.dataset.id));
  };

  const value = (row, place) => {
    const given = row.cells[place].dataset.value;
    const number = Number(given);
    return given === "" ? null : Number.isNaN(number) ? given : number;
  };

  const sort = (key, direction) => {
    const place = heads.findIndex((head) => head.firstElementChild.dataset.key === key);
    const sign = direction === "ascending" ? 1 : -1;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[place].setAttribute("aria-sort", direction);
    const compare = (a, b) => (place === 0 ? String(a).localeCompare(String(b)) : a - b);
    rows.sort((left, right) => {
      const [a, b] = [value(left, place), value(right, place)];
      if (a === null || b === null) return (a === null) - (b === null); // what is missing goes last
      return sign * compare(a, b);
    });
    table.tBodies[0].append(...rows);
    find("sort").value = key;
  };

  const first = (key) => (key === "name" ? "ascending" : "descending");
  heads.forEach((head) => head.firstElementChild.addEventListener("click", (event) => {
    const key = event.currentTarget.dataset.key;
    const now = head.getAttribute("aria-sort");
    sort(key, now === "descending" ? "ascending" : now === "ascending" ? "descending" : first(key));
  }));
  find("sort").addEventListener("change", (event) => sort(event.target.value, first(event.target.value)));
  ["search", "bin", "origin"].forEach((id) => find(id) && find(id).addEventListener("input", () => filter()));
  find("clear").addEventListener("click", () => {
    ["search", "bin", "origin"].forEach((id) => { if (find(id)) find(id).value = ""; });
    filter();
    drawVisible();
  });

  // Ledger ---------------------------------------------------------------------------------------
  const ledger = find("ledger-table");
  if (ledger) {
    const claims = [...ledger.tBodies[0].rows];
    const refresh = () => {
      const words = find("ledger-search").value.trim().toLowerCase();
      const [paper, verdict] = [find("ledger-paper").value, find("ledger-verdict").value];
      claims.forEach((row) => {
        row.hidden = !(row.dataset.text.includes(words) && (!paper || row.dataset.paper === paper) &&
          (!verdict || row.dataset.verdict === verdict));
      });
      find("ledger-shown").textContent = `${claims.filter((row) => !row.hidden).length} of ${claims.length} claims`;
    };
    ["ledger-search", "ledger-paper", "ledger-verdict"].forEach((id) => find(id).addEventListener("input", refresh));
    refresh();
  }

  // Pages ----------------------------------------------------------------------------------------
  const open = (id) => { location.hash = `#/benchmark/${encodeURIComponent(id)}`; };

  const route = (event) => {
    const [, kind, ...rest] = location.hash.replace(/^#/, "").split("/");
    if (location.hash && kind === undefined) return; // a plain anchor, such as the skip link
    const paged = ["benchmark", "claim"].includes(kind);
    const article = paged && find(`${kind}-${decodeURIComponent(rest.join("/"))}`);
    const target = article || find(kind || "overview") || find("overview");
    document.querySelectorAll("main > [data-view]").forEach((part) => { part.hidden = part !== target; });
    document.querySelectorAll("nav a").forEach((link) => {
      const here = link.dataset.view === (article ? (kind === "claim" ? "ledger" : "overview") : target.id);
      if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    });
    drawVisible();
    if (event) { target.querySelector("h2").focus(); window.scrollTo(0, 0); }
  };

  window.addEventListener("hashchange", route);
  dark.addEventListener("change", drawVisible);
  sort("s_index", "descending");
  route();
  filter();
})();
