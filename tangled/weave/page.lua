-- page.lua: the classes of the book's Markdown, for HTML, LaTeX and EPUB.
local latex = FORMAT:match("latex") ~= nil
local epub = FORMAT:match("epub") ~= nil
local page, slug, number = "", "", ""
local build = os.getenv("B") or "build"
local section = 0
local text = pandoc.utils.stringify
local files = {}            -- EPUB: the file of each page

-- name an anchor for the whole book
local function anchor(id) return (latex or epub) and slug .. "." .. id or id end
local function target(url)
    if not (latex or epub) then return url end
    local p, id = url:match("^([%w-]+)%.html#?(.*)$")
    if not p then p, id = page, url:match("^#(.*)") end
    local s = p:match("^%w+%-(.+)$")
    if not s or not id then return nil end
    id = s .. "." .. (id == "" and s or id)
    if latex then
        local here, there = page:match("%-workshop"), p:match("%-workshop")
        return (here == there and "" or there and "warp-and-weft-workshop.pdf"
            or "warp-and-weft.pdf") .. "#" .. id
    end
    return files[p] and (p == page and "" or files[p]) .. "#" .. id
end
local function raw(s) return pandoc.RawBlock(latex and "latex" or "html", s) end
local function rawi(s) return pandoc.RawInline(latex and "latex" or "html", s) end
local function escape(s)
    return (s:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;",
        ['"'] = "&quot;" }))
end
local function add(list, more)
    for _, x in ipairs(more) do list[#list + 1] = x end
    return list
end

-- draw a figure
local colors = {
    ["#1c1c1a"] = "ink", ["#6a6a64"] = "muted", ["#c8c8be"] = "rule",
    ["#fdfdfb"] = "paper", ["#f4f4ee"] = "panel", ["#1d5fa8"] = "blue",
    ["#3b7a12"] = "green", ["#a0430a"] = "orange", ["#7a3e9d"] = "purple",
    ["#8a5a00"] = "gold", ["#0b7285"] = "teal",
}
local function read(name)
    local f = io.open(name)
    if not f then
        return '<svg viewBox="0 0 720 40"><title>missing: ' .. name
            .. "</title></svg>"
    end
    local s = f:read("a")
    f:close()
    return s
end
local function unescape(s)
    s = s:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"')
    return (s:gsub("&amp;", "&"))
end
local function inlined(src, id)
    local s = read(src):gsub("^.-(<svg)", "%1", 1):gsub("<metadata>.-</metadata>", "")
    s = s:gsub("<style.-</style>", ""):gsub("<!%-%-.-%-%->", "")
    local mark = id:gsub("[^%w]", "-") .. "-"
    for _, name in ipairs({ '(%sid=")', '(href="#)', "(url%(#)" }) do
        s = s:gsub(name, "%1" .. mark)
    end
    s = s:gsub("#%x%x%x%x%x%x", function(c)
        return colors[c:lower()] and "var(--" .. colors[c:lower()] .. ")"
    end)
    local width = s:match('viewBox="[%d.-]+[ ,]+[%d.-]+[ ,]+([%d.]+)') or "720"
    local open = s:match("<svg.->")
    for _, a in ipairs({ "width", "height", "role", "aria%-labelledby",
        "aria%-label" }) do
        open = open:gsub("%s" .. a .. '="[^"]*"', "")
    end
    local shown = s:match('<svg[^>]-%swidth="([%d.]+)"') or width
    local style = "max-width:" .. shown .. "px;--w:" .. width .. "px"
    open = open:gsub('%s(%l+%-%l+)="([^"]*)"', function(k, v)
        local px = tonumber(v) and k:match("size") and "px" or ""
        style = style .. ";" .. k .. ":" .. v .. px
        return ""
    end)
    open = open:gsub(">$", ' role="img" style="' .. style .. '">')
    s = s:gsub("<svg.->", function() return open end, 1):gsub("xlink:href", "href")
    local title = escape(unescape(s:match("<title>(.-)</title>") or ""))
    title = ' aria-label="' .. title .. '"'
    return (s:gsub("<svg", function(svg) return svg .. title end, 1))
end
local function figure(div)
    local a = div.attributes
    local id, src = div.identifier, a.src
    local caption = div.content[1] and div.content[1].content or {}
    local label = "Figure\u{a0}" .. a.no .. "."
    if latex then
        local pdf = build .. "/" .. src:gsub("%.svg$", ".pdf")
        return { raw("\\begin{bookfigure}{" .. anchor(id) .. "}{" .. pdf .. "}{"
            .. a.no .. "}"),
                 pandoc.Para(caption), raw("\\end{bookfigure}") }
    end
    local drawing
    if epub then
        local title = read(src):match("<title[^>]*>(.-)</title>") or text(caption)
        drawing = pandoc.Plain({ pandoc.Image({ pandoc.Str(title) }, src) })
    else
        drawing = raw('<div class="drawing">' .. inlined(src, id) .. "</div>")
    end
    return { raw('<figure class="fig" id="' .. anchor(id) .. '">'), drawing,
             raw('<figcaption><span class="no">' .. label .. "</span> "),
                 pandoc.Plain(caption), raw("</figcaption></figure>") }
end

-- make a box
local function between(open, blocks, close)
    return add(add({ raw(open) }, blocks), { raw(close) })
end
local boxes = {}
function boxes.before(div)
    for _, b in ipairs(div.content) do
        local c = b.t == "Para" and b.content
        local word = c and c[1].t == "Str" and c[1].text:match("^(%u%l+):$")
        if word and latex then
            c[1] = rawi("\\boxlabel{" .. word .. "}")
        elseif word then
            c[1] = rawi('<span class="label">' .. word .. ": </span>")
            if c[2] and c[2].t ~= "Str" then c:remove(2) end    -- the blank
        end
    end
    if latex then
        return between("\\begin{bookbefore}", div.content, "\\end{bookbefore}")
    end
    return between('<div class="before" role="note" aria-label="Before you read">',
        div.content, "</div>")
end
function boxes.hint(div)
    if latex then
        return between("\\begin{bookhint}", div.content, "\\end{bookhint}")
    end
    return between('<details class="hint"><summary>Hint</summary>', div.content,
        "</details>")
end
function boxes.exercise(div)
    local a, id = div.attributes, div.identifier
    local to = a.solution and target(a.solution)
    id = anchor(id)
    if latex then
        local here = to and to:sub(1, 1) == "#"     -- not in the other volume
        local args = { id, a.no, here and to:sub(2) or "" }
        return between("\\begin{bookexercise}{" .. table.concat(args, "}{") .. "}",
            div.content, "\\end{bookexercise}")
    end
    local solution = to and '<p class="more"><a href="' .. to .. '">Solution</a></p>'
    return between('<div class="exercise" id="' .. id .. '"><p class="label">'
        .. '<a class="no" href="#' .. id .. '">Exercise ' .. a.no .. "</a></p>",
        div.content, (solution or "") .. "</div>")
end
function boxes.solution(div)
    local a, id = div.attributes, div.identifier
    if not a.no then return div end
    local name = pandoc.read(a.title or "", "markdown").blocks[1]
    name = name and name.content or {}
    local back = target(a.exercise)
    id = anchor(id)
    if latex then
        -- its exercise may stand in the other volume
        local label = rawi((back:sub(1, 1) == "#" and "\\solutionlabel{" .. back:sub(2)
            or "\\solutionaway{" .. back:gsub("#", "\\#")) .. "}{" .. a.no .. "}{")
        return add({ raw("\\hypertarget{" .. id .. "}{}\\label{" .. id .. "}"),
            pandoc.Para(add(add({ label }, name), { rawi("}") })) }, div.content)
    end
    local head = '<section class="solution" id="' .. id .. '"><h3><a href="' .. back
        .. '">Exercise ' .. a.no .. "</a> "
    return add(add({ raw(head), pandoc.Plain(name), raw("</h3>") }, div.content),
        { raw("</section>") })
end
function boxes.said(div)
    local a, id = div.attributes, anchor(div.identifier)
    local source = table.remove(div.content, 1).content
    local said = table.remove(div.content, 1)
    if a.test then
        local test = "tests/" .. a.test .. ".t"
        add(source, { rawi(latex and "; tested in \\texttt{" .. test .. "}"
            or "; tested in <code>" .. escape(test) .. "</code>") })
    end
    source = pandoc.Plain(source)
    local quote = pandoc.Para({ pandoc.Quoted("DoubleQuote", said.content) })
    if latex then
        return between("\\begin{booksaid}{" .. id .. "}",
            add({ quote, raw("\\saidsource{"), source, raw("}") }, div.content),
            "\\end{booksaid}")
    end
    return between('<div class="said" role="note" aria-label="A common statement"'
        .. ' id="' .. id .. '"><p class="label">Often said</p><blockquote>',
        add({ quote, raw('</blockquote><p class="source">'), source, raw("</p>") },
            div.content), "</div>")
end
boxes.figure = figure

-- set headings, tables and code
local function heading(h)
    h.identifier = anchor(h.level == 1 and slug or h.identifier)
    if latex and h.level == 1 and h.classes:includes("unnumbered") then
        return { h, raw("\\markboth{" .. text(h) .. "}{" .. text(h) .. "}") }
    end
    if latex then return h end
    if h.level == 1 and number ~= "" then
        local kind = slug:match("%-workshop") and "Workshop "
            or number:match("%d") and "Chapter " or "Appendix "
        h.content:insert(1, rawi('<span class="chapter">' .. kind .. number
            .. "</span> "))
    elseif h.level == 2 and number ~= "" and not h.classes:includes("unnumbered") then
        section = section + 1
        h.content:insert(1, rawi('<span class="no">' .. number .. "." .. section
            .. "</span> "))
    end
    return h
end
local function table_frame(t)
    if latex then return nil end
    for i, c in ipairs(t.colspecs) do t.colspecs[i] = { c[1] } end
    return { raw('<div class="table">'), t, raw("</div>") }
end
local function code_block(c)
    if latex then return pandoc.CodeBlock(c.text) end
    return raw('<div class="plain"><pre><code>' .. escape(c.text)
        .. "</code></pre></div>")
end
local function upright(m)
    m.text = m.text:gsub("\\mathrm(%b{})", "\\text%1")
    if m.mathtype == "DisplayMath" then return m end
    local html = pandoc.write(pandoc.Pandoc({ pandoc.Plain({ m }) }), "html",
        pandoc.WriterOptions({ html_math_method = "mathml" }))
    if not html:match("^<math") then error("pandoc cannot write $" .. m.text .. "$") end
    return pandoc.RawInline("html", (html:gsub('stretchy="true"', 'stretchy="false"')))
end

-- lead a link to its place
local function link(l)
    local url = l.target
    if url:match("^#ref%-") or url:match("^%a+://") or url:match("^mailto:") then
        return nil
    end
    l.target = target(url) or ""
    if l.target == "" then return l.content end
    if l.identifier ~= "" then l.identifier = anchor(l.identifier) end
    return l
end
local function span(s)
    if s.identifier ~= "" then s.identifier = anchor(s.identifier) end
    if latex and s.classes:includes("planned") then
        return add(s.content, { rawi("\\planned{}") })
    end
    return s
end

-- run over the page
local function works(div)
    local out = {}
    for _, entry in ipairs(div.content) do
        out[#out + 1] = raw("\\bookwork{" .. entry.identifier .. "}")
        add(out, entry.content)
    end
    return out
end
local function box(div)
    if div.identifier == "refs" then
        if #div.content == 0 then return {} end
        if latex then return works(div) end
        local h = raw('<h2 id="works-cited">Works cited</h2>')
        return epub and div or { raw('<section class="refs">'), h, div,
            raw("</section>") }
    end
    for class, make in pairs(boxes) do
        if div.classes:includes(class) then return make(div) end
    end
    if div.identifier ~= "" and not div.identifier:match("^ref%-") then
        div.identifier = anchor(div.identifier)
    end
    return div
end
local function raw_block(r)
    if r.format == "html" then
        r.text = r.text:gsub(' id="([^"]*)"', function(id)
            return ' id="' .. anchor(id) .. '"'
        end)
        local link_pattern = '<a ([^>]-)href="([^"]*)"([^>]*)>(.-)</a>'
        r.text = r.text:gsub(link_pattern, function(a, url, b, label)
            local t = target(url)
            if not t then return label end
            return "<a " .. a .. 'href="' .. t .. '"' .. b .. ">" .. label .. "</a>"
        end)
        return r
    end
end

-- run over the whole book for the EPUB
local function whole_book(doc, filter)
    local order, numbers, n, out, part = {}, {}, 0, {}, {}
    for line in io.lines(build .. "/weave/pages") do
        local p, no = line:match("^(%S+) (%S+)$")
        n = n + 1
        order[n], numbers[n] = p, no
        files[p] = string.format("ch%03d.xhtml", n)
    end
    n = 0
    local function close()
        if n == 0 then return end
        page = order[n] or ""
        number, slug, section = numbers[n] or "", page:match("%-(.*)$") or "", 0
        add(out, pandoc.Blocks(part):walk(filter))
        part = {}
    end
    for _, b in ipairs(doc.blocks) do
        if b.t == "Header" and b.level == 1 then
            close()
            n = n + 1
        end
        part[#part + 1] = b
    end
    close()
    return pandoc.Pandoc(out, doc.meta)
end
local walk = { Div = box, Header = heading, Table = table_frame, CodeBlock = code_block }
if latex or epub then walk.Link, walk.Span = link, span end
if epub then walk.RawBlock = raw_block end
if latex then walk.Cite = function(c) return c.content end else walk.Math = upright end
function Pandoc(doc)
    page, slug, number = text(doc.meta.page or ""), text(doc.meta.slug or ""),
        text(doc.meta.number or "")
    if epub then return whole_book(doc, walk) end
    return pandoc.Pandoc(doc.blocks:walk(walk), doc.meta)
end
