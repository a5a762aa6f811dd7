# loom.mk: programs with checking and counting, in build/inst/<slug>/.
INST_OBJS := $(patsubst %,$(B)/loom/loom/%.o,\
    check_calls check check_order check_report check_where count)
INST := $(shell CXX="$(CXX)" sh tangled/loom/loomcc.sh --check-flags)
INSTFLAGS ?= -O1
INST_NAMES := objcopy $(foreach f,memcpy memmove memset,--redefine-sym $f=__tsan_$f)
INST += -g1 $(INSTFLAGS) -fdebug-prefix-map=$(CURDIR)=.

# build the instrumented programs
INST_DIR := $(B)/inst/include
$(B)/inst.mk: $(B)/rules.mk $(wildcard tangled/loom/*.h)
	@rm -rf $(INST_DIR) && mkdir -p $(INST_DIR) && cp -Rp tangled/loom $(INST_DIR)
	@sed -n -e '/^$$(B)\/loom\/\([^:]*\): $$(B)\/loom\/\1\.o/{' \
	    -e 's,^$$(B)/loom/\([^:]*\): $$(B)/loom/[^ ]*,$$(B)/inst/\1: $$(B)/inst/\1.o,' \
	    -e 's/$$/ $$(INST_OBJS)/p' -e '}' \
	    -e 's,^$$(B)/loom/\(.*: LIBS :=\),$$(B)/inst/\1,p' $< > $@.$$$$ && mv $@.$$$$ $@
FLAGS_inst := $(COVER) -I$(INST_DIR) -isystem $(INST_DIR)/loom $(INST)
$(B)/inst/head/cuda_runtime.h.gch: tangled/loom/cuda_runtime.h | $(B)/inst.mk
	@mkdir -p $(@D)
	$(call say,inst)
	$(Q)$(call make_head,inst)
$(B)/inst/%.o: $(B)/loom/src/%.cu $(HEAD:%=$(B)/inst/%) | $(B)/inst.mk
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

# build loomcc
LOOMCC  := $(B)/loomcc
CC_LIB  := $(LOOMCC)/lib/loom
CC_OBJS  = $(patsubst $(B)/loom/loom/%,$(LOOMCC)/obj/%,$(MODULES_loom)) \
    $(LOOMCC)/obj/xorwow.o $(foreach l,cublas_v2 cufft curand,$(if $(findstring $l.h,$(LACKS)),,$(LOOMCC)/obj/$l.o))
CC_CHECK = $(patsubst $(B)/loom/loom/%,$(LOOMCC)/obj/%,$(INST_OBJS))
CC_TOOLS := $(addprefix tangled/loom/,rewrite.awk shared.awk twin.awk gdb.py)
$(LOOMCC)/obj/%.o: tangled/loom/%.c
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) -std=c11 $(CFLAGS) $(WARN) -D_DEFAULT_SOURCE -Itangled -fPIC -ftls-model=initial-exec -MMD -MP -c -o $@ $<
-include $(wildcard $(LOOMCC)/obj/*.d)
$(CC_LIB)/libloom.a: $(CC_OBJS)
$(CC_LIB)/libloom-check.a: $(CC_CHECK)
$(CC_LIB)/libloom.a $(CC_LIB)/libloom-check.a:
	@mkdir -p $(@D) && rm -f $@
	$(call say,ar)
	$(Q)$(AR) rcs $@ $^

# copy the headers
CC_OWN  := arena.h block.h entry.h fiber% half_types.h heap.h hooks.h inst.h loom.h loom_int.h philox.h warp.h watch.h xorwow.h
CC_KEPT := $(wildcard tangled/loom/*.h) $(filter-out tangled/loom/wrong% tangled/loom/solutions%,$(wildcard tangled/loom/*/*))
CC_DIRS := $(notdir $(patsubst %/,%,$(sort $(dir $(filter-out $(wildcard tangled/loom/*.h),$(CC_KEPT))))))
$(LOOMCC)/bin/loomcc: tangled/loom/loomcc.sh tangled/loom/loomcc.1 $(CC_TOOLS) $(CC_KEPT) $(CC_LIB)/libloom.a $(CC_LIB)/libloom-check.a
	@rm -rf $(CC_LIB)/include $(CC_LIB)/libcu $(CC_LIB)/with* && mkdir -p $(@D) $(CC_LIB)/include/loom $(CC_LIB)/libcu $(LOOMCC)/share/man/man1
	@cd tangled/loom && cp -R *.h $(CC_DIRS) $(abspath $(CC_LIB))/include/loom
	@cd $(CC_LIB)/include && for f in $(filter-out $(CC_OWN),$(notdir $(wildcard tangled/loom/*.h)) $(filter-out cuda,$(CC_DIRS))); do ln -s loom/$$f $$f; done && for f in loom/absent/*.h; do ln -s $$f $${f##*/}; done && ln -s ../include/loom/cuda ../libcu/cuda
	@touch $(CC_LIB)/include $(if $(filter %/cublas_v2.o,$(CC_OBJS)),$(CC_LIB)/withopenblas) $(if $(filter %/cufft.o,$(CC_OBJS)),$(CC_LIB)/withfftw3)
	@cd $(CC_LIB) && mkdir -p bin nvvm/libdevice && ln -sf ../../../bin/loomcc bin/nvcc && ln -sfn . lib64 && rm -f libcudadevrt.a && ar rc libcudadevrt.a
	@cd $(CC_LIB) && for n in cudart.so cudart_static.a curand.so $(if $(filter %/cublas_v2.o,$(CC_OBJS)),cublas.so:-lopenblas) $(if $(filter %/cufft.o,$(CC_OBJS)),cufft.so:-lfftw3f:-lfftw3); do \
	    rm -f lib$${n%%:*} && echo "INPUT(libloom-check.a libloom.a$$(case $$n in *:*) echo :$${n#*:} | tr : ' ';; esac) -lpthread -lm -ldl)" > lib$${n%%:*}; done
	@cp $(CC_TOOLS) $(CC_LIB) && cp tangled/loom/loomcc.1 $(LOOMCC)/share/man/man1
	$(call say,loomcc)
	@cp $< $@.$$$$ && chmod 755 $@.$$$$ && mv $@.$$$$ $@
loomcc: $(LOOMCC)/bin/loomcc

# install loomcc
install-loom uninstall-loom:
	@test -n "$(PREFIX)" || { echo "$@: say where: make $@ PREFIX=/usr/local" >&2; exit 2; }
	@$(if $(filter install%,$@),$(MAKE) -s --no-print-directory loomcc)
	@cd "$(DESTDIR)$(PREFIX)" 2>/dev/null && rm -rf bin/loomcc lib/loom share/man/man1/loomcc.1 || :
	@$(if $(filter install%,$@),mkdir -p "$(DESTDIR)$(PREFIX)" && cd $(LOOMCC) && cp -R bin lib share "$(DESTDIR)$(PREFIX)")
.PHONY: loomcc install-loom uninstall-loom
