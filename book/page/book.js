/* Warp and Weft: theme, copying, terms, search. Nothing here is needed to read. */
(function () {
  "use strict";
  var root = document.documentElement, KEY = "warp-and-weft-theme";
  function stored() { try { return localStorage.getItem(KEY) || ""; } catch (e) { return ""; } }
  function setTheme(t) {
    if (t) root.setAttribute("data-theme", t); else root.removeAttribute("data-theme");
    try { if (t) localStorage.setItem(KEY, t); else localStorage.removeItem(KEY); } catch (e) { /* private mode */ }
  }
  var asked = /[?&]theme=(light|dark)/.exec(location.search);
  if (asked) root.setAttribute("data-theme", asked[1]); else if (stored()) setTheme(stored());

  function make(tag, cls, text) {
    var e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text) e.textContent = text;
    return e;
  }
  function load(src) { var s = make("script"); s.src = src; document.head.appendChild(s); }

  /* theme: automatic, light, dark */
  function themeButton(place, short) {
    var names = { "": "automatic", light: "light", dark: "dark" }, next = { "": "light", light: "dark", dark: "" };
    var b = make("button", "theme");
    b.type = "button";
    function show() {
      var n = names[root.getAttribute("data-theme") || ""];
      b.textContent = short ? n : "Theme: " + n;
      b.setAttribute("aria-label", "Theme: " + n);
    }
    b.addEventListener("click", function () {
      setTheme(next[root.getAttribute("data-theme") || ""]);
      document.querySelectorAll("button.theme").forEach(function (o) { o.dispatchEvent(new Event("themed")); });
    });
    b.addEventListener("themed", show);
    show();
    place.appendChild(b);
  }

  /* copying: a chunk is copied with everything it uses put in its place */
  function chunkLines(figure) {
    var lines = [""], code = figure.querySelector("pre code");
    (function walk(node) {
      node.childNodes.forEach(function (c) {
        if (c.nodeType === 3) {
          c.data.split("\n").forEach(function (s, i) { if (i) lines.push(""); if (s) lines[lines.length - 1] += s; });
        } else if (c.hasAttribute("data-use")) {
          lines[lines.length - 1] = { indent: lines[lines.length - 1], use: c.getAttribute("data-use") };
        } else walk(c);
      });
    })(code);
    return lines;
  }
  function expand(name, parts, depth) {
    var out = [];
    (parts[name] || []).forEach(function (figure) {
      chunkLines(figure).forEach(function (l) {
        if (typeof l === "string") out.push(l);
        else if (depth > 40 || !parts[l.use]) out.push(l.indent + "/* chunk " + l.use + " */");
        else expand(l.use, parts, depth + 1).forEach(function (s) { out.push(s ? l.indent + s : s); });
      });
    });
    return out;
  }
  function copyButton(place, what, text) {
    var b = make("button", "copy", "copy");
    b.type = "button";
    b.setAttribute("aria-label", "Copy " + what);
    b.addEventListener("click", function () {
      function done(ok) { b.textContent = ok ? "copied" : "not copied"; setTimeout(function () { b.textContent = "copy"; }, 1600); }
      var s = text();
      if (navigator.clipboard) navigator.clipboard.writeText(s).then(function () { done(true); }, function () { done(byHand(s)); });
      else done(byHand(s));
    });
    place.appendChild(b);
  }
  function byHand(s) {
    var t = make("textarea"), ok = false;
    t.value = s;
    document.body.appendChild(t);
    t.select();
    try { ok = document.execCommand("copy"); } catch (e) { /* refused */ }
    t.remove();
    return ok;
  }
  function copies() {
    var parts = {};
    document.querySelectorAll(".chunk,template.chunk-of").forEach(function (f) {
      var n = f.getAttribute("data-key");
      (parts[n] = parts[n] || []).push(f.content ? f.content.firstElementChild : f);
    });
    document.querySelectorAll("main .chunk").forEach(function (f) {
      var n = f.getAttribute("data-key");
      copyButton(f.querySelector("figcaption"), "the whole of chunk " + n, function () { return expand(n, parts, 0).join("\n") + "\n"; });
    });
    document.querySelectorAll(".console").forEach(function (c) {
      var typed = c.querySelectorAll("b");
      if (typed.length) copyButton(c, "the commands", function () { return Array.prototype.map.call(typed, function (b) { return b.textContent; }).join("\n") + "\n"; });
    });
    document.querySelectorAll("pre,.table,.drawing").forEach(function (p) {
      if (p.scrollWidth <= p.clientWidth) return;
      p.tabIndex = 0;
      p.setAttribute("role", "region");
      p.setAttribute("aria-label", (p.className || "code") + ", scrolls sideways");
    });
  }

  /* terms: the glossary's entry beside the word; Escape puts it away */
  var terms = null, pop = null, over = null, timer = 0;
  window.bookTerms = function (t) { terms = t; if (over) show(over); };
  function hide() { if (pop) pop.remove(); if (over) over.removeAttribute("aria-describedby"); pop = over = null; }
  function show(a) {
    var id = a.getAttribute("href").replace(/^.*#/, "");
    if (!terms || !terms[id]) return;
    if (pop) pop.remove();
    pop = make("div", "pop", terms[id]);
    pop.id = "pop";
    pop.setAttribute("role", "tooltip");
    a.setAttribute("aria-describedby", "pop");
    document.body.appendChild(pop);
    var r = a.getBoundingClientRect(), w = pop.offsetWidth, h = pop.offsetHeight;
    pop.style.left = Math.max(8, Math.min(r.left, root.clientWidth - w - 8)) + window.scrollX + "px";
    pop.style.top = (r.bottom + h + 8 < root.clientHeight ? r.bottom + 4 : r.top - h - 4) + window.scrollY + "px";
    pop.addEventListener("mouseenter", function () { clearTimeout(timer); });
    pop.addEventListener("mouseleave", later);
  }
  function later() { clearTimeout(timer); timer = setTimeout(hide, 250); }
  function termPops() {
    document.querySelectorAll("a.term").forEach(function (a) {
      function on() { clearTimeout(timer); if (over !== a) { hide(); over = a; } if (terms) show(a); else load("terms.js"); }
      a.addEventListener("mouseenter", function () { clearTimeout(timer); timer = setTimeout(on, 200); });
      a.addEventListener("focus", on);
      a.addEventListener("mouseleave", later);
      a.addEventListener("blur", later);
    });
    document.addEventListener("keydown", function (e) { if (e.key === "Escape") hide(); });
  }

  /* search: every section that has all the words, best first */
  function search() {
    var found = document.getElementById("found"), q = document.getElementById("q"), index = null;
    if (!found) return;
    q.value = new URLSearchParams(location.search).get("q") || "";
    window.bookSearch = function (data) { index = data; run(); };
    q.addEventListener("input", run);
    q.form.addEventListener("submit", function (e) { e.preventDefault(); run(); });
    load("search.js");
    function count(s, w) { var n = 0, i = -1; while ((i = s.indexOf(w, i + 1)) >= 0) n++; return n; }
    function run() {
      var words = q.value.toLowerCase().split(/\s+/).filter(Boolean), hits = [];
      found.textContent = "";
      if (!words.length || !index) return;
      index.forEach(function (e) {
        if (!e.length) return;
        var head = (e[3] + " " + e[2]).toLowerCase(), text = e[4].toLowerCase(), score = 0;
        if (words.every(function (w) {
          var a = count(head, w), b = Math.min(count(text, w), 8);
          score += 12 * a + b;
          return a + b > 0;
        })) hits.push({ e: e, score: score });
      });
      hits.sort(function (a, b) { return b.score - a.score; });
      found.appendChild(make("p", "", hits.length ? hits.length + (hits.length === 1 ? " section" : " sections") : "No section has all these words."));
      hits.slice(0, 40).forEach(function (h) { found.appendChild(hit(h.e, words)); });
    }
    function hit(e, words) {
      var d = make("div", "hit"), a = make("a", "", e[3]), p = make("p"), text = e[4], low = text.toLowerCase();
      var at = Math.max(0, words.map(function (w) { return low.indexOf(w); }).filter(function (i) { return i >= 0; }).sort(function (x, y) { return x - y; })[0] - 60 || 0);
      var s = (at ? "…" : "") + text.slice(at, at + 220) + (text.length > at + 220 ? "…" : "");
      a.href = e[0];
      d.appendChild(a);
      d.appendChild(document.createTextNode(" in " + e[1] + ", " + e[2]));
      s.split(new RegExp("(" + words.map(function (w) { return w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }).join("|") + ")", "i")).forEach(function (t) {
        p.appendChild(words.indexOf(t.toLowerCase()) >= 0 ? make("mark", "", t) : document.createTextNode(t));
      });
      d.appendChild(p);
      return d;
    }
  }

  /* figures that can be moved: the table of the drawing says what there is to show */
  function knobs(box, name, draw) {
    var form = box.appendChild(make("div", "move"));
    form.setAttribute("role", "group");
    form.setAttribute("aria-label", name);
    function control(name, input) {
      var label = form.appendChild(make("label", "", name + " "));
      label.appendChild(input);
      input.addEventListener("input", draw);
      return input;
    }
    function slider(name, value, min, max, step) {
      var i = make("input");
      i.type = "range"; i.min = min; i.max = max; i.step = step || 1; i.value = value;
      control(name, i).after(make("output"));
      return i;
    }
    function choice(name, options) {
      var c = control(name, make("select"));
      options.forEach(function (o) { c.appendChild(make("option", "", o)); });
      return c;
    }
    return { slider: slider, choice: choice };
  }
  function moved() {
    document.querySelectorAll(".drawing metadata").forEach(function (table) {
      var rows = table.textContent.trim().split("\n").map(function (s) { return s.split(" "); });
      var svg = table.parentNode, box = /drawn$/.test(table.id) ? drawn(rows) : /loads$/.test(table.id) ? loads(rows) : whose(rows);
      svg.after(box);
      svg.remove();
    });
  }

  /* a warp's loads: the reader steps through them, the lanes' own table says which words they read */
  function loads(table) {
    var ways = table.map(function (w) {
      var cut = w.join(" ").split(": ");
      return { name: cut[0], words: cut[1].split(" ").map(Number) };
    });
    var box = make("div", "whose loads"), k = knobs(box, "Choose a way and a load", draw);
    var way = k.choice("the lanes read", ways.map(function (w) { return w.name; })), load = k.slider("load", 0, 0, ways[0].words.length / 32 - 1);
    box.appendChild(make("p", "", "sectors of global memory, 8 words each"));
    var sectors = box.appendChild(make("div", "sectors"));
    box.appendChild(make("p", "", "banks of shared memory, and the words wanted from each"));
    var banks = box.appendChild(make("div", "banks")), says = box.appendChild(make("p"));
    says.setAttribute("role", "status");
    function draw() {
      var words = ways[way.selectedIndex].words.slice(32 * load.value, 32 * load.value + 32), hit = {}, want = [], n = 0, most = 0;
      words.forEach(function (w) {
        hit[w >> 3] = 1;
        want[w % 32] = want[w % 32] || {};
        want[w % 32][w] = 1;
      });
      sectors.textContent = banks.textContent = "";
      load.nextSibling.textContent = load.value;
      for (var s = 0; s < 132; s++) { sectors.appendChild(make("i", hit[s] ? "on" : "")); n += hit[s] || 0; }
      for (var b = 0; b < 32; b++) {
        var wanted = Object.keys(want[b] || {}).length, bar = banks.appendChild(make("i", wanted ? "on" : ""));
        bar.style.height = 4 + 2 * wanted + "px";
        most = Math.max(most, wanted);
      }
      says.textContent = "Lane 0 reads word " + words[0] + ", lane 1 word " + words[1] + ", lane 31 word " + words[31] + ": " +
        n + (n === 1 ? " sector, " : " sectors, ") + most + (most === 1 ? " pass." : " passes.");
    }
    draw();
    return box;
  }

  /* who takes which element: the reader moves the numbers, the threads' own table answers */
  function whose(table) {
    var rows = {}, box = make("div", "whose"), most = table[0][2].length / 2;
    table.forEach(function (w) { rows[w[0] + " " + w[1]] = w.slice(2); });
    var k = knobs(box, "Move the numbers of the figure", draw);
    var blocks = k.slider("blocks", 3, 1, 5), threads = k.slider("threads in a block", 4, 1, 8), size = k.slider("n", 11, 0, most);
    var kernel = k.choice("kernel", ["one element a thread", "grid-stride loop"]);
    var grid = box.appendChild(make("div", "grid")), places = box.appendChild(make("div", "places")), says = box.appendChild(make("p"));
    says.setAttribute("role", "status");
    function many(k, what) { return k + " " + what + (k === 1 ? "" : "s"); }
    function color(e, b) { e.style.setProperty("--c", "var(--" + ["blue", "green", "orange", "purple", "teal"][b] + ")"); return e; }
    function draw() {
      var g = +blocks.value, t = +threads.value, n = +size.value, row = rows[g + " " + t], list = row[kernel.selectedIndex];
      function taken(by, from, end) {
        for (var i = 0, out = []; i < end; i++) if (from.substr(2 * i, 2) === by) out.push(i);
        return out;
      }
      grid.textContent = places.textContent = "";
      [blocks, threads, size].forEach(function (s) { s.nextSibling.textContent = s.value; });
      for (var b = 0, i, mine; b < g; b++) {
        var block = color(grid.appendChild(make("div", "", "block " + b)), b), cells = block.appendChild(make("div"));
        for (var k = 0; k < t; k++) {
          mine = taken("" + b + k, list, n);
          i = taken("" + b + k, row[0], most)[0];
          cells.appendChild(make("span", mine.length ? "" : "off", "t " + k)).appendChild(make("b", "", mine.join(", ") || "–"));
        }
      }
      for (var z = 0; z < n; z++) {
        var who = list.substr(2 * z, 2);
        places.appendChild(who === "--" ? make("span", "off", "z[" + z + "]") : color(make("span", "", "z[" + z + "]"), who[0]));
      }
      var lost = taken("--", list, n);
      says.textContent = many(g, "block") + " of " + many(t, "thread") + ", " + many(n, "element") + ". The last thread: i = " +
        (g - 1) + " · " + t + " + " + (t - 1) + " = " + i + (mine.length > 3 ? ", takes " + mine.length + " elements, z[" + mine[0] + "] to z[" + mine.pop() + "]." : mine.length ? ", takes z[" + mine.join("], z[") + "]." : ", which is not below n: nothing to do.") +
        (lost.length ? " Nobody takes z[" + lost[0] + (lost.length > 1 ? "] to z[" + (n - 1) : "") + "]." : "");
    }
    draw();
    return box;
  }

  /* a spectrum: the rows of roots that the chapter's program wrote, times the signal */
  function spectrum(rows, x) {
    return rows.map(function (row) {
      var re = 0, im = 0;
      x.forEach(function (v, j) {
        re += v * row[2 * j];
        im += v * row[2 * j + 1];
      });
      return [re, im];
    });
  }
  function drawn(table) {
    var rows = table.map(function (w) { return w.map(Number); }), n = rows.length, x = [], last = -1;
    var box = make("div", "whose drawn"), high = 1.5;
    var k = knobs(box, "Choose a signal", choose), shape = k.choice("signal", ["two cosines", "one cosine", "a click", "silence", "your own"]);
    var periods = k.slider("periods", 3, 0, n, 0.5), which = k.slider("sample", 0, 0, n - 1), value = k.slider("its value", 0, -high, high, 0.05);
    var plot = box.appendChild(make("div", "plot")), bars = box.appendChild(make("div", "plot bars")), says = box.appendChild(make("p"));
    says.setAttribute("role", "status");
    [plot, bars].forEach(function (p) {
      p.setAttribute("aria-hidden", "true");
      for (var i = 0; i < n; i++) {
        var cell = p.appendChild(make("span"));
        cell.appendChild(make("b"));
        if (p === bars && i % 8 === 0) cell.appendChild(make("i", "", String(i)));
      }
    });
    function tone(p, j) { return p % 1 ? Math.cos(2 * Math.PI * p * j / n) : rows[p % n][2 * j]; }
    function choose(e) {
      if (e && e.target === which && shape.selectedIndex !== 2) value.value = x[+which.value];
      else if (e && e.target === value) { x[+which.value] = +value.value; shape.selectedIndex = 4; }
      else {
        if (e && e.target === periods) shape.selectedIndex = 1;
        for (var j = 0; j < n && shape.selectedIndex < 4; j++)
          x[j] = [tone(3, j) + tone(8, j) / 2, tone(+periods.value, j), j === +which.value ? 1 : 0, 0][shape.selectedIndex];
        value.value = x[+which.value];
      }
      draw();
    }
    function bar(b, from, to) {
      b.style.top = Math.min(from, to) + "%";
      b.style.height = Math.abs(from - to) + "%";
    }
    function draw() {
      var sizes = spectrum(rows, x).map(function (X) { return Math.hypot(X[0], X[1]); });
      var most = Math.max.apply(null, sizes), least = Math.min.apply(null, sizes);
      var top = sizes.map(function (s, i) { return i; }).sort(function (a, b) { return Math.abs(sizes[b] - sizes[a]) < 0.005 ? a - b : sizes[b] - sizes[a]; });
      for (var i = 0; i < n; i++) {
        bar(plot.children[i].firstChild, 50, 50 - 48 * x[i] / high);
        plot.children[i].className = x[i] < 0 ? "low" : "";
        bar(bars.children[i].firstChild, 100, 100 - 96 * sizes[i] / Math.max(n / 2, most));
      }
      [periods, which, value].forEach(function (s) { s.nextSibling.textContent = s.value; });
      says.textContent = most - least < 0.005 ? "All bins are " + most.toFixed(1) + "." : "Largest bins: " + top.slice(0, 4).filter(function (b) { return sizes[b] > 0.005; }).map(function (b) {
        return b + " (" + sizes[b].toFixed(1) + ")";
      }).join(", ") + ". Bin " + n / 2 + " is the Nyquist frequency.";
    }
    /* the pen: from where it was to where it is, so that a quick stroke leaves no gap */
    function pen(e) {
      var r = plot.getBoundingClientRect(), at = Math.max(0, Math.min(n - 1, Math.floor((e.clientX - r.left) / r.width * n)));
      var to = Math.max(-high, Math.min(high, (0.5 - (e.clientY - r.top) / r.height) / 0.48 * high));
      var from = last < 0 ? at : last, start = last < 0 ? to : x[from];
      for (var j = from; ; j += at > from ? 1 : -1) {
        x[j] = at === from ? to : start + (to - start) * (j - from) / (at - from);
        if (j === at) break;
      }
      last = which.value = at;
      value.value = x[at];
      shape.selectedIndex = 4;
      draw();
    }
    plot.addEventListener("pointerdown", function (e) { last = -1; plot.setPointerCapture(e.pointerId); pen(e); });
    plot.addEventListener("pointermove", function (e) { if (e.buttons) pen(e); });
    choose();
    return box;
  }

  document.addEventListener("DOMContentLoaded", function () {
    var bar = document.querySelector(".bar"), nav = document.getElementById("nav");
    if (bar) { var t = make("span", "tools"); t.appendChild(bar.querySelector(".tocjump")); themeButton(t, true); bar.appendChild(t); }
    if (nav) {
      themeButton(nav);
      var now = nav.querySelector("[aria-current]");
      if (now && getComputedStyle(nav).position === "fixed") nav.scrollTop = Math.max(0, now.offsetTop - 160);
    }
    moved();
    copies();
    termPops();
    search();
  });
})();
