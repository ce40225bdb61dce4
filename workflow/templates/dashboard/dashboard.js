"use strict";
(() => {
  const find = (query, at = document) => at.querySelector(query);
  const all = (query, at = document) => [...at.querySelectorAll(query)];
  const make = (tag, given = {}, ...inside) => {
    const node = document.createElement(tag);
    Object.entries(given).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...inside);
    return node;
  };
  let fieldsMade = 0;
  const labelled = (text, field, kind = "") => {
    field.id = `field-${fieldsMade += 1}`;
    return make("span", { class: `field ${kind}` }, make("label", { for: field.id }, text), field);
  };
  const said = (node) => node.textContent.replace(/\s+/g, " ").replace(/ #$/, "").trim();
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  // Taking things along --------------------------------------------------------------------------
  const save = (name, address) => make("a", { href: address, download: name }).click();
  const saveText = (name, kind, text) => {
    const address = URL.createObjectURL(new Blob([text], { type: kind }));
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const button = (text, label, act) => {
    const node = make("button", { type: "button", "aria-label": label }, text);
    node.addEventListener("click", act);
    return node;
  };
  // A spreadsheet takes text that starts so for a formula; numbers stay as they are.
  const harmless = (text) => (/^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // Tables ---------------------------------------------------------------------------------------
  // A long table has pages; on a phone, where a row is a card, short ones.
  const phone = window.matchMedia("(max-width: 640px)").matches;
  const besideCharts = all(".chart").length > 0 || all("#board-title").length > 0;
  const A_PAGE = phone ? (besideCharts ? 3 : 8) : 50;
  const MANY = phone ? A_PAGE : 100;
  let brushed = null; // ids inside a brush over a chart, or null

  const enhance = (table) => {
    const name = table.dataset.name;
    const heads = [...table.tHead.rows[0].cells];
    const titles = heads.map(said);
    const rows = [...table.tBodies[0].rows];
    const counted = make("output", { "aria-live": "polite" });
    const spoken = name.replace(/[-_]/g, " ");
    const bar = make("form", { class: "filters", "aria-label": `Filters of ${spoken}` });
    bar.addEventListener("submit", (event) => event.preventDefault());
    const fields = [];
    if (table.classList.contains("cards")) {
      rows.forEach((row) => [...row.cells].forEach((cell, place) => {
        if (cell.tagName === "TD") cell.dataset.label = titles[place];
      }));
    }

    const value = (row, place) => {
      const cell = row.cells[place];
      const given = cell.dataset.value ?? said(cell);
      if (given === "" || given === "–") return null;
      const number = Number(given.replaceAll(",", "").replace(" %", ""));
      return heads[place].classList.contains("n") || cell.dataset.value !== undefined
        ? (Number.isNaN(number) ? given : number) : given;
    };
    const compare = (a, b) => (typeof a === "number" && typeof b === "number"
      ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
    const sort = (place, direction) => {
      const sign = direction === "ascending" ? 1 : -1;
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[place].setAttribute("aria-sort", direction);
      const keyed = rows.map((row) => [value(row, place), row]);
      keyed.sort(([a], [b]) => (a === null || b === null
        ? (a === null) - (b === null) : sign * compare(a, b))); // what is missing goes last
      keyed.forEach(([, row], at) => { rows[at] = row; });
      table.tBodies[0].append(...rows);
      refresh(false);
    };
    const first = (place) => (heads[place].classList.contains("n") ? "descending" : "ascending");

    // A long table shows a page of the rows that the filter keeps.
    const size = rows.length > MANY ? A_PAGE : rows.length;
    let kept = rows;
    let from = 0;
    const place = make("output", { "aria-live": "polite" });
    const turned = (to) => { turn(to); (table.closest(".scroll") ?? table).scrollIntoView(); };
    const back = button("Previous", `Previous rows of ${name}`, () => turned(from - size));
    const on = button("Next", `Next rows of ${name}`, () => turned(from + size));
    const turn = (to) => {
      from = to;
      const until = Math.min(from + size, kept.length);
      rows.forEach((row) => { row.hidden = true; });
      kept.slice(from, until).forEach((row) => { row.hidden = false; });
      back.disabled = from === 0;
      on.disabled = until === kept.length;
      place.textContent = `${Math.min(from + 1, until)} to ${until} of ${kept.length}`;
    };
    const refresh = (forget = true) => {
      if (forget && table.id === "benchmarks") brushed = null;
      kept = rows.filter((row) => fields.every((fits) => fits(row)) &&
        (table.id !== "benchmarks" || !brushed || brushed.has(row.dataset.id)));
      const wanted = kept.findIndex((row) => row.id && `#${row.id}` === decodeURIComponent(location.hash));
      turn(Math.floor(Math.max(wanted, 0) / size) * size);
      if (table.dataset.counted) counted.textContent = `${kept.length} of ${rows.length} ${table.dataset.counted}`;
      if (table.id === "benchmarks") {
        dim(kept.length === rows.length ? null : kept.map((row) => row.dataset.id));
      }
    };

    const search = () => {
      const field = make("input", { type: "search", autocomplete: "off", placeholder: table.dataset.search });
      const texts = new Map(rows.map((row) => [row, `${said(row)} ${row.dataset.more ?? ""}`.toLowerCase()]));
      fields.push((row) => texts.get(row).includes(field.value.trim().toLowerCase()));
      bar.append(labelled(`Search ${spoken}`, field));
    };
    const choose = (place) => {
      const text = (row) => said(all(".verdict", row.cells[place])[0] ?? row.cells[place]);
      const field = make("select", {}, make("option", { value: "" }, "all"),
        ...[...new Set(rows.map(text))].map((one) => make("option", {}, one)));
      fields.push((row) => !field.value || text(row) === field.value);
      bar.append(labelled(`${titles[place][0].toUpperCase()}${titles[place].slice(1)}`, field));
    };
    const sorter = () => {
      const field = make("select", {}, make("option", { value: "" }, "as listed"),
        ...titles.map((title, place) => make("option", { value: place }, title)));
      field.addEventListener("change", (event) => {
        event.stopPropagation();
        if (field.value !== "") sort(Number(field.value), first(Number(field.value)));
      });
      bar.append(labelled("Sort", field, "only-phone"));
    };
    const records = () => kept.map((row) => [...row.cells].map(said));
    const csv = () => [titles, ...records()].map((row) => row.map(harmless).map(quoted).join(",")).join("\r\n");
    const json = () => JSON.stringify(
      records().map((row) => Object.fromEntries(row.map((text, place) => [titles[place], text]))), null, 1);

    if (table.dataset.search) search();
    heads.forEach((head, place) => { if (head.dataset.filter !== undefined) choose(place); });
    if (table.classList.contains("sortable")) {
      if (table.classList.contains("cards")) sorter();
      heads.forEach((head, place) => {
        const press = make("button", { type: "button" }, ...head.childNodes);
        press.addEventListener("click", () => {
          const now = head.getAttribute("aria-sort");
          sort(place, now === "descending" ? "ascending" : now === "ascending" ? "descending" : first(place));
        });
        head.append(press);
      });
    }
    if (fields.length) {
      bar.addEventListener("input", () => refresh());
      const clear = button("Clear", `Clear the filters of ${name}`, () => { bar.reset(); refresh(); redraw(); });
      bar.append(clear);
    }
    // How to cite the table, with the address of the row that is shown, if it has one.
    const citation = make("output", { class: "soft citation", "aria-live": "polite" });
    const cite = () => {
      const dataset = find('meta[name="dataset"]').content;
      citation.textContent = `${dataset}: table "${name}" in "${document.title}", ${location.href}`;
    };
    rows.forEach((row) => {
      if (row.id) row.cells[0].append(" ", make("a", { href: `#${row.id}`, class: "soft address", "aria-label": `Address of the row ${said(row.cells[0])}` }, "#"));
    });
    bar.append(make("span", { class: "tools" },
      button("Cite", `How to cite the table ${name}`, cite),
      button("CSV", `Download the shown rows of ${name} as CSV`, () => saveText(`${name}.csv`, "text/csv", csv() + "\r\n")),
      button("JSON", `Download the shown rows of ${name} as JSON`, () => saveText(`${name}.json`, "application/json", json()))));
    if (table.dataset.counted) bar.append(counted);
    bar.append(citation);
    (table.closest(".scroll") ?? table).before(bar);
    if (size < rows.length) {
      (table.closest(".scroll") ?? table).after(make("div", { class: "filters" }, back, place, on));
      window.addEventListener("hashchange", () => refresh(false));
    }
    return refresh;
  };

  // Charts ---------------------------------------------------------------------------------------
  const held = find("#specs");
  const specs = held ? JSON.parse(held.textContent) : {};
  const views = {};
  let picked = null; // ids that the filter leaves, or null for all

  const look = () => {
    const style = getComputedStyle(document.documentElement);
    const [ink, soft, line, ground] = ["--ink", "--soft", "--line", "--ground"]
      .map((name) => style.getPropertyValue(name).trim());
    const text = { labelColor: soft, titleColor: ink };
    return {
      background: ground, font: "system-ui, DejaVu Sans, sans-serif",
      view: { stroke: line },
      axis: { ...text, gridColor: line, gridOpacity: 0.6, domainColor: soft, tickColor: soft, labelFontSize: 12, titleFontSize: 12 },
      legend: { ...text, labelFontSize: 12 },
    };
  };
  const inside = (value, range) => range === undefined || (value >= Math.min(...range) && value <= Math.max(...range));
  const listen = (name, view) => {
    const { fields, records } = specs[name];
    if (!fields) return;
    view.addEventListener("click", (_, item) => {
      if (item && item.datum && item.datum.id) location.href = `benchmarks/${encodeURIComponent(item.datum.id)}.html`;
    });
    view.addSignalListener("brush", (_, brush) => {
      const active = brush && Object.keys(brush).length > 0;
      brushed = active
        ? new Set(records.filter((row) => fields.every((field) => inside(row[field], brush[field]))).map((row) => row.id))
        : null;
      refreshers.forEach((refresh) => refresh(false));
    });
  };
  const draw = async (name) => {
    const target = find(`#chart-${name}`);
    if (!target) return;
    if (views[name]) views[name].finalize();
    const spec = phone ? { ...specs[name].spec, height: 200 } : specs[name].spec;
    const { view } = await vegaEmbed(target, spec, {
      actions: false, renderer: "svg", config: look(), tooltip: { theme: dark.matches ? "dark" : "light" },
    });
    views[name] = view;
    listen(name, view);
    view.signal("picked", picked).runAsync();
    // The brush's own marks say nothing to a reader; the points have their numbers as labels.
    all('[role="graphics-symbol"][class*="brush"]', target).forEach((mark) => mark.setAttribute("aria-hidden", "true"));
    target.dataset.drawn = "true";
  };
  const redraw = () => Object.keys(specs).forEach(draw);
  const dim = (ids) => {
    picked = ids;
    Object.values(views).forEach((view) => view.signal("picked", ids).runAsync());
  };
  const exports = (name) => {
    const target = find(`#chart-${name}`);
    if (!target) return;
    const about = target.dataset.about;
    target.before(make("span", { class: "tools" },
      button("SVG", `Download ${about} as SVG`, async () => saveText(`${name}.svg`, "image/svg+xml", await views[name].toSVG())),
      button("PNG", `Download ${about} as PNG`, async () => save(`${name}.png`, await views[name].toImageURL("png", 2)))));
  };

  // Parts of a page that stand alone ------------------------------------------------------------
  const list = find("#list");
  const articles = all("[data-page]");
  const title = document.title;
  const route = (event) => {
    const wanted = decodeURIComponent(location.hash.slice(1));
    const shown = articles.find((article) => article.id === wanted);
    articles.forEach((article) => { article.hidden = article !== shown; });
    list.hidden = Boolean(shown);
    document.title = shown ? `${said(find("h2", shown))} · ${title}` : title;
    if (shown && event) find("h2", shown).focus();
    if (shown) window.scrollTo(0, 0);
  };
  if (list && articles.length) {
    window.addEventListener("hashchange", route);
    route();
  }

  const refreshers = all("table[data-name]").map(enhance);
  refreshers.forEach((refresh) => refresh());
  Object.keys(specs).forEach(exports);
  redraw();
  dark.addEventListener("change", redraw);
  if (location.hash && !list) find(`[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`)?.scrollIntoView();
})();
