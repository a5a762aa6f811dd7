# tests/planted.mk: how programs are built for planted bugs (tests/planted.sh).
#   make -f tests/planted.mk RULES=build/rules.mk SRC=tangled \
#       B=build/planted/base BASE=build/planted/base build/planted/base/loom/tour/sum
# B is where it is built, BASE where the unchanged objects are, CHANGED the file
# under SRC that holds the bug.
#
# The chapters' C files are built with the address and the undefined-behavior
# sanitizer. Loom and the .cu files that run on it have the second only: the first
# does not know the stacks of Loom's threads, nor the memory that cudaMalloc gives,
# and makes a .cu file take twice as long to compile; and a kernel's null pointer is
# Loom's to find. All are linked with both, so that malloc and free are watched
# everywhere. What is run with Loom's own checker (build/inst) has neither.
# Where cuDNN is, the Makefile found out; by hand, what the linker finds.
CUDNN_LIBS ?= -l:libcudnn.so.9
.SUFFIXES:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

UB      := -fsanitize=undefined -fno-sanitize-recover=undefined
BOTH    := -fsanitize=address $(UB)
C       := -std=c11 -g -Wall -Wextra -Werror -D_DEFAULT_SOURCE
$(eval $(shell grep '^CXXWARN ' Makefile))      # as the Makefile has it
CU      := -std=gnu++17 -x c++ -D__CUDACC__=1 -Og -g1 $(CXXWARN) -D_DEFAULT_SOURCE $(UB) -fno-sanitize=null
LINK_c    = $(CC) $(BOTH) -o $@ $^ $(LIBS)
LINK_loom = $(CXX) $(BOTH) -o $@ $^ $(LIBS)
# Written beside and moved into place, since two tests may want one object at once.
MOVE      = -MD -MP -MF $(basename $@).d -MT $@ -c -o $@.$$$$ $< && mv $@.$$$$ $@
REWRITE := $(SRC)/loom/rewrite.awk
CUH     := $(patsubst %,$(B)/loom/src/%,$(if $(CHANGED),$(filter %.cuh,$(CHANGED)), \
    $(shell cd $(SRC) && find . -name '*.cuh' | sed 's,^\./,,')))
# Every .cu file begins with Loom's cuda_runtime.h: g++ compiles that once.
HEAD    := $(if $(filter loom/%,$(CHANGED))$(findstring clang,$(CXX)),,$(BASE)/head)
INCLUDE := -I$(B)/loom/src -I$(BASE)/loom/src -I$(SRC)

$(B)/loom/%: $(B)/loom/%.o
	@$(LINK)
$(B)/loom/%.o: $(SRC)/%.c tests/planted.mk
	@mkdir -p $(@D)
	@$(CC) $(C) $(if $(filter loom/%,$*),-O2 $(UB),-O1 $(BOTH)) -I$(SRC) $(if $(filter cudnn/%,$*),$(CUDNN_INC)) \
	    $(if $(filter async/plain,$*),-isystem $(SRC)/loom) $(MOVE)
$(B)/loom/src/%: $(SRC)/% $(REWRITE)
	@mkdir -p $(@D)
	@awk -f $(REWRITE) $< >$@.$$$$ && mv $@.$$$$ $@
$(B)/loom/%.o: $(B)/loom/src/%.cu tests/planted.mk $(if $(HEAD),$(BASE)/head/cuda_runtime.h.gch) | $(CUH)
	@mkdir -p $(@D)
	@$(CXX) $(CU) $(HEAD:%=-fpch-deps -isystem %) $(INCLUDE) -isystem $(SRC)/loom -include cuda_runtime.h $(MOVE)
ifeq ($(B),$(BASE))
$(BASE)/head/cuda_runtime.h: $(SRC)/loom/cuda_runtime.h
	@mkdir -p $(@D)
	@cp $< $@.$$$$ && mv $@.$$$$ $@
$(BASE)/head/cuda_runtime.h.gch: $(BASE)/head/cuda_runtime.h tests/planted.mk
	@$(CXX) $(subst -x c++,-x c++-header,$(CU)) -w $(INCLUDE) -isystem $(SRC)/loom $(MOVE)
-include $(wildcard $(B)/head/*.d $(B)/loom/*/*.d $(B)/loom/*/*/*.d)
endif
.PRECIOUS: $(B)/loom/%.o $(B)/loom/src/%
include $(RULES)
