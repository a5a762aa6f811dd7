// Compares the product that the page's script computes with hand's, on stdin:
// node spectrum.js book/page/book.js figures/dft_draw.svg
"use strict";
var fs = require("fs");
var script = /\n {2}function spectrum[\s\S]*?\n {2}}\n/.exec(fs.readFileSync(process.argv[2], "utf8"))[0];
var table = /<metadata id="drawn">\n([\s\S]*?)\n<\/metadata>/.exec(fs.readFileSync(process.argv[3], "utf8"))[1];
var spectrum = new Function(script + "return spectrum;")();
var rows = table.split("\n").map(function (s) { return s.split(" ").map(Number); });
var said = /\[(.*)\] -> \[(.*)\]/.exec(fs.readFileSync(0, "utf8"));
var x = said[1].split(", ").map(Number), wrong = 0;
var near = 1e-4 + 1e-6 * x.reduce(function (sum, v) { return sum + Math.abs(v); }, 0);
// a number is a+bi, a, or bi
function parts(s) {
  var m = /^(-?[\d.e]+(?:e[-+]\d+)?)?(?:([-+]?[\d.]+)i)?$/.exec(s);
  if (/i$/.test(s) && !/\d[-+]/.test(s)) return [0, parseFloat(s)];
  return [+m[1] || 0, +m[2] || 0];
}
if (rows.length !== 32 || x.length !== 32) { console.log(rows.length + " rows, " + x.length + " samples"); wrong++; }
spectrum(rows, x).forEach(function (got, k) {
  var want = parts(said[2].split(", ")[k]);
  if (!(Math.abs(got[0] - want[0]) <= near && Math.abs(got[1] - want[1]) <= near)) {
    console.log("bin " + k + " is " + got[0].toFixed(2) + " " + got[1].toFixed(2) + ", not " + want[0].toFixed(2) + " " + want[1].toFixed(2));
    wrong++;
  }
});
if (!wrong) console.log("ok");
