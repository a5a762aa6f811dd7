# Warp and Weft: the one entry. `make help` says what there is.

# ---- what this machine can do ----------------------------------------------
SHELL     := /bin/sh
NOTANGLE  := $(shell command -v notangle 2>/dev/null)
PANDOC    := $(shell command -v pandoc 2>/dev/null)
NVCC      := $(shell command -v nvcc 2>/dev/null || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
GPU_NAME  := $(shell nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)
GPU_CC    := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)
ifneq ($(NVCC),)        # transcripts call it by its name
export PATH := $(PATH):$(patsubst %/,%,$(dir $(NVCC)))
endif
ifdef NO_NVCC           # pretend there is none: NO_NVCC=1; nor its tools, in a folder of their own
NVCC      :=
export NO_NVCC
export PATH := $(shell echo "$$PATH" | tr : '\n' | while read -r d; do \
    [ -e "$$d/ptxas" ] && [ ! -e "$$d/make" ] || printf %s: "$$d"; done)
endif

# ---- choices: say NAME=value on the command line ---------------------------
# GPU: whose results are woven, a folder of bench/results (default h200);
# BACKEND: loom, gpu or both; CHAPTER: a slug, or several; ARCH: what nvcc compiles for.
GPU       ?= h200
BACKEND   ?= loom $(if $(and $(NVCC),$(GPU_NAME)),gpu)
ARCH      ?= $(if $(GPU_CC),sm_$(GPU_CC)$(if $(filter 90 100 103 120,$(GPU_CC)),a),sm_90a)
B         ?= build
TOOLS     ?= tangled/weave
SRC       ?= $(if $(NOTANGLE),$(B)/src,tangled)
# one more than there are processors, since some tests wait
JOBS      ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
JOBS      := $(JOBS)

CFLAGS    ?= -O2 -g -gdwarf-4
WARN      := -Wall -Wextra -Werror
CPPFLAGS  += -D_DEFAULT_SOURCE -I$(SRC)
COVER     := $(if $(COVERAGE),--coverage)
# GOLD, if rules.mk says so: it links a program in a third of the time.
LDFLAGS   += $(GOLD) $(COVER:%=% -Xlinker --wrap=_exit $(COVERAGE))
LOOM      := -D__CUDACC__=1 -I$(B)/loom/src -I$(SRC) -isystem $(SRC)/loom -isystem tangled/loom -include cuda_runtime.h
# What every .cu file includes first is compiled once, where that is g++.
HEAD      := $(if $(findstring clang,$(CXX)),,head/cuda_runtime.h.gch)
# The kernels' host code is held to the same warnings; what is off, CUDA's style needs.
CXXWARN   := -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-missing-field-initializers -Wno-format-truncation -Wno-psabi$(if $(findstring clang,$(CXX)), -Wno-unknown-warning-option)
NVFLAGS   ?= -O3 -lineinfo
# code for this architecture and no PTX beside it, which would be compiled once more
NVFLAGS   += -std=c++17 -gencode arch=$(ARCH:sm_%=compute_%),code=$(ARCH) -I$(SRC) -Xcompiler -Wall

# Commands are told in a word and a name; V=1 shows them whole.
V         ?=
Q         := $(if $(V),,@)
say        = $(if $(V),,@printf '  %-8s%s\n' $(1) $@)

.DEFAULT_GOAL := book
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
# A goal is made on all cores; several are made one after another, unless they are books.
ifeq ($(and $(filter-out html book pdf epub,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS)))$(findstring jobserver,$(shell echo "$$MAKEFLAGS")),)
MAKEFLAGS += -j$(JOBS)
endif

# ---- help ------------------------------------------------------------------
## The book
##   make              the book as HTML, in build/html/index.html
##   make pdf epub     build/warp-and-weft.pdf and its second volume,
##                     build/warp-and-weft-workshop.pdf; build/warp-and-weft.epub
##   make stage        how long each page takes to read: words, lines of code,
##                     minutes, pages in print
##   make watch        weave again whenever a chapter is saved
## The programs
##   make tangle       write tangled/ from book/
##   make progs        compile every program for what is here (loom, nvcc)
##   make run FILE=my.cu [ARGS=...]   your own CUDA file on Loom;
##                     CHECK=1 finds races and bad accesses, COUNT=1 counts; exit
##                     codes of build/run/program, shown in the last line: 0 clean,
##                     1 the program failed, 2 Loom found a mistake
##   make check        run every test on which something has changed since it was
##                     green (FRESH=1: every test); CHAPTER=kernels for one chapter,
##                     BACKEND=loom or BACKEND=gpu for one back end (gpu: what runs on
##                     Loom, its checker and the planted bugs are left to the other)
##   make caught       note in tests/planted/caught.txt which planted bugs the last check
##                     caught; they are tried again when they, their assertion or file change
##   make lint         the book's own rules, with file, line and the fix
##   make claims       what the sentences claim of the results, the narrowest first
##   make mutants      do the tests of CHAPTER=kernels notice N=10 random changes of
##                     its code? SEED=7 draws others, SEED="1 2" N of each; N=0: none (a control)
##   make coverage     the chunks that no test executes (takes minutes)
##   make sanitize     the tests under compute-sanitizer (needs a GPU)
##   make bench        measure on this GPU; keeps bench/results/<gpu>/<slug>.csv
##   make tune CHAPTER=gemm   measure what sgemm chooses its kernels by
##   make archs        compile every kernel for all architectures of this nvcc
## The house
##   make deps         install what is missing (says what, before it does)
##   make figures      draw the figures whose data or script changed
##   make data         fetch and verify MNIST (or set MNIST_DIR=)
##   make anchors      note new anchors in book/anchors.txt
##   make clean        remove build/
help:
	@sed -n 's/^## \{0,1\}//p' Makefile

# ---- setting up ------------------------------------------------------------
# `make deps book check`: install what these goals need, then look again at what
# this machine can do and make them.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
REST := $(filter-out deps,$(MAKECMDGOALS))
deps:
	@sh tangled/setup/deps.sh $(filter book check epub pdf figures more,$(REST))
	@rm -f $(B)/rules.mk
	@$(if $(REST),$(MAKE) --no-print-directory $(REST))
$(REST): deps ; @:
.PHONY: deps $(REST)
else

# ---- tangling --------------------------------------------------------------
# The tools are tangled from the appendix and live in tangled/weave. If they are
# lost, plain noweb writes them again.
ifeq ($(wildcard $(TOOLS)/tangle.sh),)
$(shell for r in $$(cat book/D*-weave*.md | sed -n 's/^<[<]\(weave\/[^>]*\)>[>]=$$/\1/p' | sort -u); do \
    mkdir -p $(TOOLS) && cat book/D*-weave*.md | sed -n '/^<[<].*>[>]=$$/,/^@\( \|$$\)/p' | \
    notangle -t8 "-R$$r" - > $(TOOLS)/$${r#weave/}; done; chmod +x $(TOOLS)/*.sh)
endif

# Every page of the book, in its order; a name that is no page's stops make.
PAGES_MD := $(shell sh $(TOOLS)/pages.sh 2>&1)
ifneq ($(filter-out 0,$(.SHELLSTATUS)),)
$(error $(PAGES_MD))
endif

# ---- what was asked for ------------------------------------------------------
SLUGS := $(sort $(foreach p,$(PAGES_MD:book/%.md=%),$(word 2,$(subst -, ,$p))))
ifneq ($(filter-out $(SLUGS),$(CHAPTER)),)
$(error there is no chapter called $(CHAPTER): CHAPTER= takes one of $(SLUGS))
endif
ifneq ($(filter-out loom gpu,$(BACKEND))$(if $(strip $(BACKEND)),,empty),)
$(error BACKEND=$(BACKEND): it takes loom, gpu, or "loom gpu")
endif
ifneq ($(shell echo "$(JOBS)" | grep -cx '[1-9][0-9]*'),1)
$(error JOBS=$(JOBS): it takes a number of jobs, 1 or more)
endif

# Where tangled/ goes is said on make's command line; an OUT that somebody has for
# something else stays outside.
ifeq ($(origin OUT),environment)
unexport OUT
endif

# STAMPS stays empty where there is nothing to tangle with, or SRC was given.
ifneq ($(and $(NOTANGLE),$(filter $(B)/src,$(SRC))),)
# owner:page, since the pages of a chapter (22w-mnist-workshop) are tangled together.
PARTS    := $(shell echo '$(PAGES_MD)' | tr ' ' '\n' | sed 's,^book/,,; s/\.md$$//; h; s/^\([0-9]*[A-Z]*\)[a-z]-\([^-]*\)-.*/\1-\2/; G; s/\n/:/')
STAMPS   := $(sort $(foreach p,$(PARTS),$(B)/tangle/$(firstword $(subst :, ,$p)).stamp))
$(foreach p,$(PARTS),$(eval $(B)/tangle/$(firstword $(subst :, ,$p)).stamp: book/$(lastword $(subst :, ,$p)).md))
TANGLER  := $(addprefix $(TOOLS)/,front.awk tag.awk split.awk lint.awk roots.awk pages.sh tangle.sh)
$(STAMPS): $(B)/tangle/%.stamp: book/%.md
	@mkdir -p $(@D)
	@TWIN=$(SRC) $(TOOLS)/tangle.sh $<
	@$(if $(filter D-weave,$*),TWIN=$(SRC) $(TOOLS)/tangle.sh $<)
	@touch $@
# The appendix is tangled by the tools it defines (twice: the second time by the
# new ones); the other chapters wait for it, and are tangled again when a tool changed.
$(filter-out %/D-weave.stamp,$(STAMPS)): $(TANGLER)
$(wildcard $(TOOLS)/*): $(B)/tangle/D-weave.stamp ;
tangle: $(STAMPS)
else
tangle:
	@echo "tangle: noweb is not installed, so tangled/ is used as it was committed (make deps)"
endif

# ---- programs --------------------------------------------------------------
# cuDNN lies beside the toolkit, in the system's folders, or in a Python package. Without it, what needs it is not built.
CUDNN := $(firstword $(foreach d,$(CUDNN_DIR) $(patsubst %/bin/nvcc,%,$(NVCC)) /usr/local/cuda /usr/local /usr,$(if $(wildcard $d/include/cudnn.h),$d)))
ifeq ($(CUDNN),)
CUDNN := $(shell python3 -c 'import nvidia.cudnn as m; print(list(m.__path__)[0])' 2>/dev/null)
endif
# Its headers want the toolkit's; a Python package may hold a part of those only.
CUDNN_CUDA := $(firstword $(foreach d,$(patsubst %/bin/nvcc,%,$(NVCC))/include /usr/local/cuda/include $(CUDNN)/../cu13/include $(CUDNN)/../cuda_runtime/include,$(if $(wildcard $d/crt/host_defines.h),$d)))
CUDNN_INC := $(addprefix -isystem ,$(sort $(wildcard $(if $(CUDNN),$(filter-out /usr/include,$(CUDNN)/include $(CUDNN_CUDA))))))
CUDNN_LIBS := $(if $(CUDNN),$(foreach d,$(wildcard $(CUDNN)/lib64 $(CUDNN)/lib),-L$d -Xlinker -rpath=$d)) -l:libcudnn.so.9
export CUDNN_INC CUDNN_LIBS
# Loom's cuBLAS needs OpenBLAS, its cuFFT FFTW; a program that can do without
# zlib is linked without it. Who has none of them builds the rest.
ABSENT = { printf '\#if !__has_include(<openblas_config.h>) && !__has_include(<openblas/openblas_config.h>)\ncublas_v2.h\n\#endif\n'; \
    printf '\#if !__has_include(<%s.h>)\n%s.h\n\#endif\n' fftw3 cufft fftw3 fftw3 zlib zlib cudnn cudnn; } | $(CC) $(CUDNN_INC) -E -P -x c - 2>/dev/null
LACKS     = $(eval LACKS := $$(shell $$(ABSENT)))$(LACKS)
# gold may be there and not find the compiler's library.
TRY_GOLD  = echo 'int main() { throw 1; }' | $(CXX) -fuse-ld=gold -x c++ -o $(B)/gold.$$$$ - 2>/dev/null && \
    echo 'GOLD := -fuse-ld=gold'; rm -f $(B)/gold.$$$$
# rules.mk says which programs there are and of which objects: the sources say it; a
# book needs none. make remakes it first, so whatever is built below was tangled before. (It is moved
# into place, as are others below: two makes may run at once.)
COMPILES := $(filter-out help clean lint format tangle stage claims anchors data figures figures-check \
    book html pdf epub, \
    $(or $(MAKECMDGOALS),$(.DEFAULT_GOAL)))
ifneq ($(COMPILES),)
$(B)/rules.mk: $(STAMPS) $(TOOLS)/rules.awk $(if $(STAMPS),,$(shell find $(SRC) -type f))
	@mkdir -p $(@D)
	@{ $(TRY_GOLD); awk -v src=$(SRC) -v absent="$(LACKS)" -f $(TOOLS)/rules.awk $$(cd $(SRC) && \
	    find . -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sed 's,^\./,,' | LC_ALL=C sort); } > $@.$$$$ && mv $@.$$$$ $@
include $(B)/rules.mk
endif

LINK_c       = $(CC) -o $@ $^ $(LDFLAGS) $(LIBS)
LINK_loom = $(CXX) -o $@ $^ $(LDFLAGS) $(LIBS)
link_gpu     = $(NVCC) -gencode arch=$(ARCH:sm_%=compute_%),code=$(ARCH) -o $(1) $^ $(LIBS) $(if $(filter -lcuda -lnvidia-ml,$(LIBS)),-L$(dir $(NVCC))../lib64/stubs) \
    $(if $(filter -lcupti,$(LIBS)),$(foreach d,$(CUPTI)/lib64 $(dir $(NVCC))../lib64,-L$d -Xlinker -rpath=$(abspath $d)))
# What measures, once more for its test: see tests/quick.c.
LINK_gpu     = $(call link_gpu,$@)$(if $(filter %/bench %/tune,$@), && \
    $(call link_gpu,$@-quick) tests/quick.c -Xlinker --wrap=cudaDeviceGetAttribute)

# Objects lie beside their programs: build/loom/kernels/vecadd and vecadd.o.
$(B)/loom/%: $(B)/loom/%.o
	$(call say,link)
	$(Q)$(LINK)
$(B)/gpu/%: $(B)/gpu/%.o
	$(call say,link)
	$(Q)$(LINK)
$(B)/loom/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) -std=c11 $(CFLAGS) $(COVER) $(WARN) $(CPPFLAGS) -MMD -MP -c -o $@ $<
# A C program that calls the runtime takes Loom's header, like any .cu.
$(B)/loom/async/plain.o: CPPFLAGS += -isystem $(SRC)/loom
# clang 14 gives the clones of static functions names that the whole program sees; those of step.c are the same.
$(B)/loom/mnist/step_d.o: CPPFLAGS += $(if $(findstring clang,$(CC)),'-Dtarget_clones(...)=')
$(B)/loom/cudnn/%.o: CPPFLAGS += $(CUDNN_INC)
$(B)/gpu/cudnn/%.o $(B)/gpu/cudnn/%.cubin: NVFLAGS += $(CUDNN_INC)
$(B)/gpu/%.o: $(SRC)/%.cu
	@mkdir -p $(@D)
	$(call say,nvcc)
	$(Q)$(NVCC) $(NVFLAGS) -MMD -MP -c -o $@ $<
# Where no GPU will run it: nvcc reads the whole file and makes machine code of the kernels,
# as fast as it can; the host's part is not compiled once more (for Loom it was) nor linked.
FAST      = $(eval FAST := $(if $(shell $(NVCC) --help | grep Ofast-compile),--Ofast-compile=max,-Xcicc -O1 -Xptxas -O1))$(FAST)
$(B)/gpu/%.cubin: $(SRC)/%.cu
	@mkdir -p $(@D)
	$(call say,nvcc)
	$(Q)$(NVCC) $(filter-out -O3 -lineinfo,$(NVFLAGS)) $(FAST) -cubin -o $@ $<
objects   = $(foreach o,$(1),$(B)/gpu/$o.o $(B)/gpu/$o.cubin)

# What measures puts short calls into a graph, which the default stream refuses.
$(call objects,%/bench %/tune cudnn/image measure/rotate measure/gallery): NVFLAGS += -default-stream per-thread
# What sgemm launches is compiled once.
$(foreach b,loom gpu,$(eval $(addprefix $(B)/$b/gemm/,bench gemm tune): $(B)/$b/gemm/kernels.o))
$(call objects,gemm/bench gemm/gemm gemm/tune): NVFLAGS += -DSGEMM_LINKED
$(addprefix $(B)/loom/gemm/,bench.o gemm.o tune.o): private LOOM += -DSGEMM_LINKED
# So is what plans of chapter 18 launch, for the checker, too; nvcc 13 keeps kernels that are
# templates to each file, if it is not told otherwise.
FFT_LINKED := accuracy convolution few transforms
STUBS = $(if $(shell $(NVCC) --help | grep static-global-template-stub),-static-global-template-stub=false)
$(foreach b,loom inst gpu,$(eval $(FFT_LINKED:%=$(B)/$b/fft/%): $(B)/$b/fft/kernels.o))
$(foreach b,loom inst,$(FFT_LINKED:%=$(B)/$b/fft/%.o)): private LOOM += -include fft/linked.cuh
$(foreach b,loom inst,$(FFT_LINKED:%=$(B)/$b/fft/%.o)): | $(B)/loom/src/fft/linked.cuh
$(call objects,$(FFT_LINKED:%=fft/%)): NVFLAGS += -include fft/linked.cuh
$(call objects,$(addprefix fft/,$(FFT_LINKED) kernels)): NVFLAGS += $(STUBS)
# What launches kernels from the device is linked once more; CUPTI lies beside the toolkit.
$(call objects,async/cdp async/bench): NVFLAGS += -rdc=true
CUPTI    := $(dir $(NVCC))../extras/CUPTI
$(call objects,async/timeline): NVFLAGS += -I$(CUPTI)/include -default-stream per-thread

# For Loom, launches are rewritten into C++ that g++ understands.
REWRITE := $(firstword $(wildcard $(SRC)/loom/rewrite.awk tangled/loom/rewrite.awk))
# What g++ would let pass: more shared memory than a block has.
SHARED  := $(REWRITE:rewrite.awk=shared.awk)
$(B)/loom/src/%: $(SRC)/% $(REWRITE)
	@mkdir -p $(@D)
	@if [ -f $< ]; then awk -f $(REWRITE) $< > $@.$$$$ && mv $@.$$$$ $@; \
	    else rm -f $@; fi       # a header that is gone, but some .d still names it
compile_cu = $(CXX) -std=gnu++17 -x c++ $(CFLAGS) $(CXXWARN) $(if $(filter $(FULL),$@),,$(HEAD:%=-fpch-deps -isystem $(B)/$(1)/head)) $(FLAGS_$(1)) $(LOOM) -MD -MP
# Most of it runs for a moment and is compiled as quickly; not what is optimized in full, which
# has no use for a head compiled at -O1: g++ 12 dies of that. To follow each variable for a
# debugger takes an eighth of the time.
FULL    := $(addprefix $(B)/loom/,loom/bench.o gemm/kernels.o)
FLAGS_loom = $(COVER) $(if $(filter file,$(origin CFLAGS)),-fno-var-tracking $(if $(filter $(FULL),$@),,$(if \
    $(filter %/bench.o %/once.o %/tries.o $(B)/loom/fft/%.o,$@),-Og,-O1)))
make_head  = cp $< $(@:.gch=) && $(compile_cu) -w -x c++-header -c -MF $(@:.gch=.d) -MT $@ -o $@ $<
$(B)/loom/head/cuda_runtime.h.gch: $(SRC)/loom/cuda_runtime.h
	@mkdir -p $(@D)
	$(call say,c++)
	$(Q)$(call make_head,loom)
$(B)/loom/%.o: $(B)/loom/src/%.cu $(HEAD:%=$(B)/loom/%)
	@mkdir -p $(@D)
	$(call say,c++)
	$(Q)$(call compile_cu,loom) -c -o $@ $<
	@readelf -sWC $@ | awk -v source=$< -f $(SHARED)
.PRECIOUS: $(B)/loom/%.o $(B)/gpu/%.o $(B)/loom/src/%
-include $(if $(COMPILES),$(wildcard $(B)/loom/*/*.d $(B)/gpu/*/*.d $(B)/loom/*/*/*.d $(B)/gpu/*/*/*.d))

WANTED = $(if $(filter loom,$(BACKEND)),$(PROGS_loom)) $(if $(or $(filter gpu,$(BACKEND)),$(NVCC)),$(PROGS_gpu))
progs: $(if $(CHAPTER),$(filter $(foreach c,$(CHAPTER),$(B)/loom/$c/% $(B)/gpu/$c/%),$(WANTED)),$(WANTED))

# Programs with checking and counting: build/inst/<slug>/<program>.
-include tangled/loom/loom.mk

# A reader's own file, on Loom; CHECK=1 checks it, COUNT=1 counts as well.
RUN_OBJS = $(MODULES_loom) $(if $(CHECK)$(COUNT),$(INST_OBJS)) $(foreach l,cublas_v2 cufft curand,$(if $(shell \
    grep -s '^ *\# *include *<$l\.h>' "$(FILE)"),$(B)/loom/loom/$l.o))
# the book's headers that it may include, rewritten
RUN_CUH  = $(if $(shell grep -s '\# *include.*\.cuh' "$(FILE)"),$(patsubst $(SRC)/%,$(B)/loom/src/%,$(shell find $(SRC) -name '*.cuh')))
RUN_LIBS = $(if $(findstring cublas_v2.o,$(RUN_OBJS)),-lopenblas) $(if $(findstring cufft.o,$(RUN_OBJS)),-lfftw3f -lfftw3)
# What asks which half of it is compiled needs both of them, which loomcc makes.
RUN_TWICE = $(if $(filter $(SRC)/%,$(FILE)),,$(shell grep -ls __CUDA_ARCH_ "$(FILE)" $(foreach e,cuh h,"$(dir $(FILE))"*.$e)))
define run_once
	+@$(MAKE) -s --no-print-directory $(B)/inst.mk $(RUN_OBJS) $(RUN_CUH)
	@mkdir -p $(B)/run && awk -f $(REWRITE) "$(FILE)" > $(B)/run/source.cu
	@$(CXX) -std=gnu++17 -x c++ $(CFLAGS) $(filter-out -Werror,$(CXXWARN)) \
	    $(if $(CHECK)$(COUNT),-I$(INST_DIR) -isystem $(INST_DIR)/loom) \
	    $(LOOM) -I"$(dir $(FILE))" $(if $(CHECK)$(COUNT),$(INST)) -c -o $(B)/run/program.o $(B)/run/source.cu
	@$(if $(CHECK)$(COUNT),$(INST_NAMES) $(B)/run/program.o)
	@readelf -sWC $(B)/run/program.o | awk -v source=$(B)/run/source.cu -f $(SHARED)
	@$(CXX) -o $(B)/run/program $(B)/run/program.o $(RUN_OBJS) $(LDFLAGS) $(RUN_LIBS) -lm -lpthread
endef
define run_twice
	+@$(MAKE) -s --no-print-directory loomcc && mkdir -p $(B)/run
	@$(LOOMCC)/bin/loomcc $(if $(CHECK)$(COUNT),--check) -I$(SRC) -o $(B)/run/program "$(FILE)" \
	    $(foreach l,cublas_v2 cufft curand,$(if $(filter %/$l.o,$(RUN_OBJS)),-l$(l:_v2=)))
endef
run:
	@test -n "$(FILE)" || { echo "run: say which file: make run FILE=my.cu" >&2; exit 2; }
	@test -f "$(FILE)" || { echo "run: there is no file $(FILE)" >&2; exit 2; }
	$(if $(RUN_TWICE),$(run_twice),$(run_once))
	@$(if $(COUNT),LOOM_COUNT=1) $(B)/run/program $(ARGS); e=$$?; [ $$e = 0 ] || { \
	    [ $$e = 2 ] && says="Loom found a mistake" || says="the program failed"; \
	    echo "run: $(FILE) ended with exit code $$e: $$says" >&2; exit $$e; }

archs:
	@test -n "$(NVCC)" || { echo "archs: needs nvcc" >&2; exit 1; }
	@for a in $$($(NVCC) --list-gpu-arch | sed 's/compute_/sm_/'); do \
	    echo "$$a"; $(MAKE) -s --no-print-directory progs BACKEND=gpu ARCH=$$a B=$(B)/archs/$$a SRC=$(SRC) || exit 1; done

# ---- the book --------------------------------------------------------------
-include $(TOOLS)/weave.mk

stage:
	@awk -v table=1 -v toc=$(wildcard $(B)/pdf/book.toc) -f $(TOOLS)/stage.awk -- $(PAGES_MD)

watch:
	@echo "watch: weaving build/html whenever book/ changes; stop with ^C"
	@while :; do $(MAKE) -s --no-print-directory book || true; \
	    if command -v inotifywait >/dev/null; then inotifywait -qq -r -e close_write,move book; else sleep 1; fi; done

# ---- tests -----------------------------------------------------------------
# What is wrong in the source notes has its place and its test: see appendix E.
ERRORS = $(TOOLS)/errors.awk book/errors.txt book/toc.txt $(wildcard tests/*.t) $(PAGES_MD)
lint:
	@awk -f $(TOOLS)/lint.awk -- $(PAGES_MD)
	@$(if $(wildcard book/errors.txt),awk -f $(ERRORS))
	@$(TOOLS)/refs.sh
	@$(MAKE) -s --no-print-directory format

# The layout is clang-format's: `make format` shows what it would change.
format:
	@if command -v clang-format >/dev/null; then \
	    find tangled -path '*/wrong' -prune -o \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print | \
	    xargs clang-format --dry-run -Werror; fi

export MNIST_DIR ?= $(wildcard data/mnist)
export B SRC TOOLS GPU
unexport CHAPTER             # of this tree; a test's own tree has others
none = $(if $(1),$(1),none$(comma) so $(2))
comma := ,
# Each test is a target: build/tap/<test>.tap, what it said. verdict.sh removes those
# that may not be kept; make builds what a test needs and runs it, all in one queue.
TAP      := $(B)/$(if $(SANITIZE),sanitize,tap)$(if $(NO_NVCC),-bare)
TESTS    := $(patsubst tests/%.t,%,$(wildcard $(if $(CHAPTER),$(foreach c,$(CHAPTER),tests/$c.t tests/$c-*.t),tests/*.t)))
VERDICT   = MAKEFLAGS= TAP=$(TAP) BACKENDS="$(BACKEND)" NVCC="$(NVCC)" GPU_NAME="$(GPU_NAME)" ARCH="$(ARCH)" \
    ABSENT="$(LACKS)" sh tests/verdict.sh
CUBINS    = $(foreach p,$(PROGS_gpu) $(addprefix $(B)/gpu/,gemm/kernels fft/kernels),$p$(if $(wildcard $(p:$(B)/gpu/%=$(SRC)/%.cu)),.cubin))
TESTED    = $(if $(filter loom,$(BACKEND)),$(PROGS_loom) $(PROGS_inst)) $(if $(NVCC),$(if $(GPU_NAME),$(PROGS_gpu),$(CUBINS)))
# The longest begin first. What times a GPU runs when all others have ended: their
# work would be in its times.
LONG     := memory atomics cudnn tensor loom gemm random race kernels matmul sync mnist \
    dft fft simt loom-mini reduce
FIRST    := $(foreach t,$(LONG),$(filter $t,$(TESTS))) $(filter-out $(LONG),$(TESTS))
ALONE    := $(filter %-alone,$(TESTS))
check:
	@test -n "$(TESTS)" || { echo "check: chapter $(CHAPTER) has no test of its own" >&2; exit 2; }
	@$(if $(filter gpu,$(BACKEND)),test -n "$(and $(NVCC),$(GPU_NAME))" || { echo "check: BACKEND=gpu needs nvcc and a GPU" >&2; exit 2; })
	@echo "check: back ends: $(strip $(BACKEND)); nvcc: $(call none,$(NVCC),nothing is compiled for a GPU);" \
	    "GPU: $(call none,$(GPU_NAME),$(if $(NVCC),programs for one are compiled but not linked$(comma) and )tests that need one are skipped);" \
	    "noweb: $(call none,$(NOTANGLE),tangled/ is used as committed);" \
	    "pandoc: $(call none,$(PANDOC),no page is woven)"
	@$(VERDICT) keys $(TESTS)
	@$(MAKE) --no-print-directory -k verdicts; made=$$?; $(VERDICT) tell $(TESTS) && exit $$made
	@$(if $(and $(filter gpu,$(BACKEND)),$(if $(CHAPTER)$(SANITIZE),,all)),$(TOOLS)/keep.sh tap "$(GPU_NAME)")
	@$(if $(CHAPTER)$(SANITIZE)$(filter command,$(origin TESTS))$(if $(wildcard book/errors.txt),,none)$(if $(filter loom,$(BACKEND)),,none),,awk -v has="$(BACKEND) $(if $(NVCC),nvcc) $(if $(and $(CUDNN),$(CUDNN_CUDA)),cudnn)" -f $(ERRORS) $(TAP)/*.tap $(wildcard bench/results/*/check.tap))
-include $(TAP).keys/needs.mk
verdicts: $(B)/lint.stamp $(FIRST:%=$(TAP)/%.tap) $(BUGS) $(if $(CHAPTER)$(filter command,$(origin TESTS)),,$(TESTED)) ; @:
$(foreach t,$(TESTS),$(eval $(TAP)/$t.tap $(filter $(B)/planted/$t/%,$(CONTROLS)): | \
    $(filter $(foreach s,$(needs_$t),$(foreach b,loom inst gpu,$(B)/$b/$s/%)),$(TESTED))))
$(ALONE:%=$(TAP)/%.tap): | $(patsubst %,$(TAP)/%.tap,$(filter-out $(ALONE),$(TESTS)))
# Planted bugs: what is built without them, for those that are due; their controls.
PLANTED  = $(sort $(DUE))
planted:
	@$(MAKE) -s --no-print-directory -f tests/planted.mk RULES=$(B)/rules.mk BASE=$(B)/planted/base B=$(B)/planted/base \
	    SRC=tangled CHANGED= $$(for p in $(PLANTED); do ! grep -Fq "\$$(B)/loom/$$p:" $(B)/rules.mk || echo $(B)/planted/base/loom/$$p; done)
$(CONTROLS): | planted $(filter $(PLANTED:%=$(B)/%),$(PROGS_inst))
	@JOBS=1 sh tests/planted.sh control $(patsubst $(B)/planted/%/,%,$(dir $@)) $(basename $(notdir $@)) >/dev/null || :
$(TAP)/weave-book.tap $(TAP)/glossary.tap: | $(if $(PANDOC),html)
$(TAP)/%.tap:
	@$(VERDICT) run $*
.PRECIOUS: $(TAP)/%.tap     # what a test said until it was interrupted; the next check forgets it
$(B)/lint.stamp: $(PAGES_MD) $(wildcard book/*.* tests/*.t bench/results/*/* .clang-format) $(TOOLS)/lint.awk $(TOOLS)/errors.awk
	@$(MAKE) --no-print-directory lint
	@touch $@

# A planted bug is tried again when its record, the lines of its test that speak of it, or
# the file it is in has changed.
caught:
	@$(VERDICT) record

mutants:
	@test -n "$(CHAPTER)" || { echo "mutants: say which chapter: make mutants CHAPTER=kernels SEED=1" >&2; exit 2; }
	@JOBS=$(JOBS) sh tests/mutants.sh $(CHAPTER) "$(or $(SEED),1)" $(N)

# The chapters that have programs for the GPU, under compute-sanitizer's four tools.
KERNELS = $(or $(CHAPTER),$(sort $(foreach p,$(PROGS_inst:$(B)/inst/%=%),$(firstword $(subst /, ,$p)))))
sanitize:
	@test -n "$(GPU_NAME)" || { echo "sanitize: needs an NVIDIA GPU and compute-sanitizer" >&2; exit 1; }
	@$(MAKE) --no-print-directory check BACKEND=gpu SANITIZE=1 TESTS="$(patsubst tests/%.t,%,$(wildcard $(KERNELS:%=tests/%.t)))"

# Every chunk that Loom compiles is executed by some test, or tests/coverage.txt
# says why not. gcov maps through #line to the book. What fails here, check tells.
# It has a copy of the tree: the book's commands call make, which must not build once more
# what is measured. COVERAGE is what is linked to each program then: see tests/written.c.
COVERED = $(wildcard $(foreach c,$(sort $(foreach p,$(PROGS_loom:$(B)/loom/%=%),$(firstword $(subst /, ,$p)))),tests/$c.t tests/$c-*.t))
coverage:
	@test -n "$(STAMPS)" || { echo "coverage: needs noweb: gcov counts lines of the book (make deps)" >&2; exit 1; }
	@rm -rf $(B)/coverage && mkdir -p $(B)/coverage
	@tar --exclude=./.git --exclude=./$(B) -cf - . | tar -xf - -C $(B)/coverage
	@$(CC) -c -o $(B)/coverage/written.o tests/written.c
	@cd $(B)/coverage && unset B SRC TOOLS && GIT_CEILING_DIRECTORIES=$(CURDIR)/$(B) $(MAKE) --no-print-directory covered COVERAGE=$$PWD/written.o BACKEND=loom NO_NVCC=1
covered:
	@$(MAKE) -k --no-print-directory progs >$(B)/made 2>&1; \
	MAKEFLAGS= BACKENDS=loom prove --timer -j$(JOBS) --exec sh $(filter-out %-compilers.t,$(COVERED)) >$(B)/log 2>&1; \
	find $(B) -path $(B)/transcripts -prune -o -name '*.gcno' -exec gcov -t -r {} \; 2>/dev/null | \
	awk -f tests/coverage.awk tests/coverage.txt - >$(B)/missed; e=$$?; sort -V $(B)/missed; exit $$e

# ---- measurements ----------------------------------------------------------
# (Loom's own benchmark measures a CPU: results/<gpu>/loom.csv is ncu.sh's.)
BENCHES = $(foreach p,$(filter %/bench,$(if $(filter gpu,$(BACKEND)),$(filter-out $(B)/gpu/loom/bench,$(PROGS_gpu)),$(PROGS_loom))),$(if $(or $(if $(CHAPTER),,all),$(filter $(CHAPTER:%=$(B)/loom/%/bench) $(CHAPTER:%=$(B)/gpu/%/bench),$p)),$p))
bench: $(BENCHES)
	@bad=0; for p in $^; do $(TOOLS)/keep.sh csv "$(if $(filter gpu,$(BACKEND)),$(GPU_NAME),loom)" $$p || bad=1; done; exit $$bad

# What a chapter's programs choose by, measured here.
tune:
	@test -f $(SRC)/$(or $(CHAPTER),none)/tune.cu || { echo "tune: say for which chapter: make tune CHAPTER=gemm" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(B)/$(lastword $(BACKEND))/$(CHAPTER)/tune
	@$(B)/$(lastword $(BACKEND))/$(CHAPTER)/tune $(ARGS)

# Any python3 that has matplotlib will do; Debian's lives in /usr/bin.
figures:
	@for py in "$(PYTHON)" python3 /usr/bin/python3; do \
	    $$py -c 'import matplotlib' 2>/dev/null && break; done; \
	for f in $(filter-out figures/style.py,$(wildcard figures/*.py)); do $$py $$f || exit 1; done
figures-check:
	@figures/check.sh

data:
	@$(or $(wildcard tangled/setup/data.sh),false) $(MNIST_DIR)

clean:
	rm -rf $(B)

.PHONY: help tangle verdicts planted caught mutants progs run archs book html pdf epub stage watch lint format check coverage covered sanitize bench tune figures figures-check data clean anchors
endif
