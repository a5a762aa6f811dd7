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

  /* who takes which element: the reader moves the numbers, the drawing's own table answers */
  function whose() {
    document.querySelectorAll(".drawing metadata").forEach(function (table) {
      var rows = {}, svg = table.parentNode, box = make("div", "whose"), form = box.appendChild(make("div", "move")), most = 0;
      table.textContent.trim().split("\n").forEach(function (s) {
        var w = s.split(" ");
        rows[w[0] + " " + w[1]] = w.slice(2);
        most = w[2].length / 2;
      });
      form.setAttribute("role", "group");
      form.setAttribute("aria-label", "Move the numbers of the figure");
      function control(name, input) {
        var label = form.appendChild(make("label", "", name + " "));
        label.appendChild(input);
        input.addEventListener("input", draw);
        return input;
      }
      function slider(name, value, min, max) {
        var i = make("input");
        i.type = "range"; i.min = min; i.max = max; i.value = value;
        control(name, i).after(make("output"));
        return i;
      }
      var blocks = slider("blocks", 3, 1, 5), threads = slider("threads in a block", 4, 1, 8), size = slider("n", 11, 0, most);
      var kernel = control("kernel", make("select"));
      kernel.appendChild(make("option", "", "one element a thread"));
      kernel.appendChild(make("option", "", "grid-stride loop"));
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
      svg.after(box);
      svg.remove();
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    var bar = document.querySelector(".bar"), nav = document.getElementById("nav");
    if (bar) { var t = make("span", "tools"); t.appendChild(bar.querySelector(".tocjump")); themeButton(t, true); bar.appendChild(t); }
    if (nav) {
      themeButton(nav);
      var now = nav.querySelector("[aria-current]");
      if (now && getComputedStyle(nav).position === "fixed") nav.scrollTop = Math.max(0, now.offsetTop - 160);
    }
    whose();
    copies();
    termPops();
    search();
  });
})();
