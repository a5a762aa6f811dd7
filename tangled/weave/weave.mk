# weave.mk: HTML, PDF and EPUB. Included by the Makefile, which sets B, TOOLS, GPU
# and PAGES_MD.
WEAVE   := $(B)/weave
HTML    := $(B)/html
PAGES   := $(patsubst book/%.md,%,$(PAGES_MD))
STAGE   := $(foreach p,$(PAGES),$(if $(findstring -workshop,$p),,$p))
WORKSHOP := $(filter-out $(STAGE),$(PAGES))
RENAMED := $(shell sed -n 's/^\([^ ]*\) -> [^ ]*$$/\1/p' book/anchors.txt 2>/dev/null)
SITE    := index chunks identifiers figures terms search
FIGURES := $(wildcard figures/*.svg)
REPO    ?= $(shell git config remote.origin.url 2>/dev/null | sed -n \
    's,^git@github.com:,https://github.com/,; s,\.git$$,,; /^https:\/\/github.com\//p')
WEAVER  := $(addprefix $(TOOLS)/,front.awk defs.awk know.awk color.awk claim.awk inline.awk \
    weave.awk site.awk stage.awk pages.sh weave.sh hash.sh closure.awk)
.PHONY: book

# ask whether anything was switched
WEAVE_CHOICES := gpu $(GPU) repo $(REPO)
ifneq ($(WEAVE_CHOICES),$(shell cat $(WEAVE)/choices 2>/dev/null))
$(shell mkdir -p $(WEAVE) && echo '$(WEAVE_CHOICES)' > $(WEAVE)/choices)
endif

# weave all chapters into Markdown
$(WEAVE)/tex/.stamp: export LATEX := 1
$(WEAVE)/.stamp $(WEAVE)/tex/.stamp: $(PAGES:%=book/%.md) book/toc.txt book/refs.bib \
    $(wildcard book/anchors.txt) $(WEAVER) $(WEAVE)/choices \
    $(wildcard bench/results/*/*.csv bench/results/*/check.tap tests/*.t) | $(STAMPS)
	@GPU=$(GPU) REPO=$(REPO) OUT=$(@D) REFS=$(WEAVE)/refs.json $(TOOLS)/weave.sh
	@touch $@
$(foreach p,$(PAGES) $(SITE),$(WEAVE)/$p.md $(WEAVE)/$p.yaml) \
    $(addprefix $(WEAVE)/,llms.txt pages anchors stage references.md): $(WEAVE)/.stamp ;
$(foreach p,$(PAGES),$(WEAVE)/tex/$p.md $(WEAVE)/tex/$p.yaml): $(WEAVE)/tex/.stamp ;
$(WEAVE)/refs.json: book/refs.bib
	@mkdir -p $(@D)
	@pandoc -f biblatex -t csljson -o $@.$$$$ $< && mv $@.$$$$ $@

# make HTML of a page
MARKDOWN := markdown-implicit_figures-auto_identifiers-yaml_metadata_block
CITE        := --bibliography $(WEAVE)/refs.json -M link-citations=true --citeproc \
    -L $(TOOLS)/page.lua
PANDOC_PAGE = B=$(B) pandoc -f $(MARKDOWN) -d $(<:.md=.yaml) -L $(TOOLS)/page.lua \
    $(if $(DRAFT),,--fail-if-warnings)
$(HTML)/%.html: $(WEAVE)/%.md $(WEAVE)/%.yaml $(WEAVE)/refs.json \
    book/page/template.html $(TOOLS)/page.lua $(TOOLS)/words.awk
	@mkdir -p $(@D)
	@$(PANDOC_PAGE) -t html5 --mathml --template book/page/template.html -o $@.$$$$ $< && \
	    LC_ALL=C awk -v page=$* -v out=$(WEAVE) -f $(TOOLS)/words.awk $@.$$$$ && mv $@.$$$$ $@
$(HTML)/book.css: book/page/book.css
	@mkdir -p $(@D) && cp $< $@
$(HTML)/book.js: book/page/book.js
	@mkdir -p $(@D) && cp $< $@
$(HTML)/%: $(WEAVE)/%
	@mkdir -p $(@D) && cp $< $@
$(HTML)/source/%.md.txt: book/%.md | $(WEAVE)/.stamp
	@mkdir -p $(@D) && cp $< $@

# put together what the pages say
$(HTML)/search.js $(HTML)/terms.js $(HTML)/book.txt: $(PAGES:%=$(HTML)/%.html)
$(HTML)/search.js:
	@{ echo 'bookSearch(['; cat $(PAGES:%=$(WEAVE)/%.search); echo '[]])'; } > $@
$(HTML)/terms.js:
	@{ echo 'bookTerms({'; cat $(PAGES:%=$(WEAVE)/%.terms); echo '"":""})'; } > $@
$(HTML)/book.txt:
	@{ echo 'Warp and Weft: GPU programming as a literate program'; \
	    cat $(PAGES:%=$(WEAVE)/%.text); } > $@
$(RENAMED:%=$(HTML)/%.html): $(HTML)/%.html: book/anchors.txt $(TOOLS)/weave.mk
	@mkdir -p $(@D)
	@awk -v old=$* '$$1 == old && $$2 == "->" && NF == 3 { \
	    printf "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\" />" \
	    "<title>%s has moved</title><meta http-equiv=\"refresh\" content=\"0; url=%s.html\" /></head>" \
	    "<body><h1>Moved</h1><p>This page is now <a href=\"%s.html\">%s</a>.</p></body></html>\n", \
	    old, $$3, $$3, $$3 }' $< > $@
$(HTML)/.stamp: $(foreach p,$(PAGES) $(SITE) $(RENAMED),$(HTML)/$p.html) \
    $(PAGES:%=$(HTML)/source/%.md.txt) \
    $(addprefix $(HTML)/,book.css book.js search.js terms.js book.txt llms.txt)
	@touch $@
	@echo "the book: $(HTML)/index.html"
book: html
html: $(HTML)/.stamp
-include $(WEAVE)/figures.mk

# make the PDF
$(WEAVE)/tex/%.tex: $(WEAVE)/tex/%.md $(WEAVE)/tex/%.yaml $(WEAVE)/refs.json $(TOOLS)/page.lua
	@$(PANDOC_PAGE) -M suppress-bibliography=true -t latex \
	    --top-level-division=chapter -o $@.$$$$ $< && mv $@.$$$$ $@
$(WEAVE)/tex/references.tex: $(WEAVE)/references.md $(WEAVE)/refs.json $(TOOLS)/page.lua
	@mkdir -p $(@D)
	@B=$(B) pandoc -f markdown-auto_identifiers $(CITE) -t latex \
	    --top-level-division=chapter -o $@.$$$$ $< && mv $@.$$$$ $@
$(B)/figures/%.pdf: figures/%.svg
	@mkdir -p $(@D) && rsvg-convert -f pdf -o $@ $<
PRINTED = book/page/book.tex $(WEAVE)/tex/references.tex $(WEAVE)/tex/.stamp \
    $(FIGURES:%.svg=$(B)/%.pdf)
$(B)/warp-and-weft.pdf: $(STAGE:%=$(WEAVE)/tex/%.tex) $(PRINTED)
	@$(TOOLS)/pdf.sh book/page/book.tex $@ $(WEAVE)/tex
$(B)/warp-and-weft-workshop.pdf: $(WORKSHOP:%=$(WEAVE)/tex/%.tex) $(PRINTED)
	@$(TOOLS)/pdf.sh book/page/book.tex $@ $(WEAVE)/tex -workshop
pdf: $(B)/warp-and-weft.pdf $(B)/warp-and-weft-workshop.pdf

# make the EPUB
EPUBCHECK = $(shell f=$$(command -v epubcheck) && case $$(head -c 2 $$f) in \
    (PK) echo "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar $$f" ;; (*) echo "$$f" ;; esac)
$(B)/warp-and-weft.epub: $(PAGES:%=$(WEAVE)/%.md) $(WEAVE)/references.md \
    $(WEAVE)/pages $(WEAVE)/refs.json $(FIGURES) book/page/epub.css $(TOOLS)/page.lua
	@new=$(B)/new.$$$$.epub; B=$(B) pandoc --quiet -f $(MARKDOWN) -t epub3 --mathml $(CITE) \
	    -M title="Warp and Weft" -M subtitle="GPU programming as a literate program" \
	    -M lang=en --css book/page/epub.css --toc-depth=2 -o $$new \
	    $(PAGES:%=$(WEAVE)/%.md) $(WEAVE)/references.md && \
	    $(or $(EPUBCHECK),: no epubcheck) -q $$new && mv $$new $@ || { rm -f $$new; exit 1; }
	@echo "the book: $@"
epub: $(B)/warp-and-weft.epub

# list new anchors
anchors: $(WEAVE)/.stamp
	@touch book/anchors.txt
	@LC_ALL=C awk 'FILENAME == ARGV[1] { known[$$1, $$2] = 1; next } \
	    !(($$1, $$2) in known)' book/anchors.txt $(WEAVE)/anchors >> book/anchors.txt
claims:
	@$(TOOLS)/weave.sh --claims | LC_ALL=C sort -n
.PHONY: html pdf epub anchors claims
