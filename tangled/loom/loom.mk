# loom.mk: programs with checking and counting, in build/inst/<slug>/.
INST_OBJS := $(patsubst %,$(B)/loom/loom/%.o,\
    check_calls check check_report check_where count)
ifneq ($(findstring clang,$(CXX)),)
INST := -fsanitize=array-bounds -mllvm -tsan-instrument-func-entry-exit=0 \
    -mllvm -tsan-distinguish-volatile=1 -mllvm -disable-block-placement \
    -mllvm -tsan-instrument-read-before-write=1 -Wno-pass-failed \
    -fsanitize-coverage=bb,no-prune,trace-pc -fno-vectorize -fno-slp-vectorize
else
INST := -fsanitize=bounds --param tsan-instrument-func-entry-exit=0 \
    --param tsan-distinguish-volatile=1 -fno-reorder-blocks -fno-tree-sra \
    -fsanitize-coverage=trace-pc -Wno-tsan
endif
INSTFLAGS ?= -O1
INST_NAMES := objcopy $(foreach f,memcpy memmove memset,--redefine-sym $f=__tsan_$f)
INST += -fsanitize=thread -fno-optimize-sibling-calls -g $(INSTFLAGS) -fdebug-prefix-map=$(CURDIR)=.

# build the instrumented programs
INST_DIR := $(B)/inst/include
$(B)/inst.mk: $(B)/rules.mk
	@mkdir -p $(INST_DIR)
	@ln -sfn $(abspath tangled/loom) $(INST_DIR)/loom
	@sed -n -e '/^$$(B)\/loom\/\([^:]*\): $$(B)\/loom\/\1\.o/{' \
	    -e 's,^$$(B)/loom/\([^:]*\): $$(B)/loom/[^ ]*,$$(B)/inst/\1: $$(B)/inst/\1.o,' \
	    -e 's/$$/ $$(INST_OBJS)/p' -e '}' \
	    -e 's,^$$(B)/loom/\(.*: LIBS :=\),$$(B)/inst/\1,p' $< > $@.$$$$ && mv $@.$$$$ $@
FLAGS_inst := -I$(INST_DIR) -isystem $(INST_DIR)/loom $(INST)
$(B)/inst/head/cuda_runtime.h.gch: tangled/loom/cuda_runtime.h | $(B)/inst.mk
	@mkdir -p $(@D)
	$(call say,inst)
	$(Q)$(call make_head,inst)
$(B)/inst/%.o: $(B)/loom/src/%.cu $(HEAD:%=$(B)/inst/%) | $(CUH) $(B)/inst.mk
	@mkdir -p $(@D)
	$(call say,inst)
	$(Q)$(call compile_cu,inst) -c -o $@ $<
	$(Q)$(INST_NAMES) $@
$(B)/inst/%: $(B)/inst/%.o
	$(call say,link)
	$(Q)$(CXX) -o $@ $^ $(LDFLAGS) $(LIBS)
.PRECIOUS: $(B)/inst/%.o
-include $(wildcard $(B)/inst/*/*.d $(B)/inst/*/*/*.d)
ifneq ($(COMPILES),)
include $(B)/inst.mk
endif
