# rules.awk: from the C and CUDA files under a folder to make rules.
# Usage: awk -v src=tangled [-v absent=cufft.h] -f rules.awk FILE...
# (paths relative to src)
BEGIN {
    for (i = 1; i < ARGC; i++) { file[++files] = ARGV[i]; known[ARGV[i]] = 1 }
    ARGC = 1
    # name the libraries behind the headers
    split("math.h -lm dlfcn.h -ldl pthread.h -lpthread zlib.h -lz", pair, " ")
    for (i = 1; i in pair; i += 2) {
        lib["gpu", pair[i]] = lib["loom", pair[i]] = pair[i + 1]
    }
    split("cuda.h -lcuda cublas_v2.h -lcublas cublasLt.h -lcublasLt cufft.h -lcufft " \
        "curand.h -lcurand cudnn.h -lcudnn nccl.h -lnccl nvml.h -lnvidia-ml nvrtc.h " \
        "-lnvrtc nvJitLink.h -lnvJitLink cupti.h -lcupti cuda_device_runtime_api.h -lcudadevrt " \
            "cublasXt.h -lcublas", pair, " ")
    for (i = 1; i in pair; i += 2) {
        lib["gpu", pair[i]] = pair[i + 1]
        cuda_only[pair[i]] = 1
    }
    lib["loom", "cublas_v2.h"] = "-lopenblas"
    lib["loom", "cufft.h"] = "-lfftw3f -lfftw3"
    lib["loom", "fftw3.h"] = "-lfftw3f_threads -lfftw3f -lfftw3"
    lib["loom", "cudnn.h"] = lib["gpu", "cudnn.h"] = "$(CUDNN_LIBS)"
    split(absent, pair, " ")          # what cannot be served here
    for (i in pair) missing[pair[i]] = 1
    for (i = 1; i <= files; i++)
        read_file(file[i])
    for (i = 1; i <= files; i++) {
        if (file[i] in has_main)
            rules_for(file[i])
        if (file[i] ~ /\.cu$/)
            headers_of(file[i])
    }
    print "PROGS_loom :=" list["loom"]
    print "PROGS_gpu :=" list["gpu"]
    print "PROGS_inst :=" list["inst"]
    split("", seen)
    visit("loom/cuda_runtime.h", "loom")
    print "MODULES_loom :=" objects()
}

# read the includes of a file
function read_file(f,    s, h, here, alone) {
    here = f; sub(/[^\/]*$/, "", here)
    while ((getline s < (src "/" f)) > 0) {
        if (s !~ /^([ \t]*#|int|main)/) continue     # nearly all lines
        if (s ~ /^#(ifndef __LOOM__|else|endif)/) alone = s ~ /__LOOM__$/ ? "gpu:" : ""
        if (s ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            split(s, h, "\"")
            h[2] = (here h[2]) in known ? here h[2] : h[2]
            includes[f] = includes[f] " " h[2]
        } else if (match(s, /^[ \t]*#[ \t]*include[ \t]*<[^>]+>/)) {
            h[2] = substr(s, RSTART, RLENGTH)
            sub(/.*</, "", h[2]); sub(/>.*/, "", h[2])
            if (matters(h[2])) system_h[f] = system_h[f] " " alone h[2]
        } else if (s ~ /^(int[ \t]+)?main[ \t]*\(/)
            has_main[f] = 1
    }
    close(src "/" f)
}
function matters(h) {       # <stdio.h> asks for nothing
    return ("loom/" h) in known || ("gpu", h) in lib || ("loom", h) in lib ||
        h ~ /^(cub|cuda|nvtx3|thrust)\//
}

# collect what a program needs
function visit(f, backend,    part, k, i, m) {
    if (f in seen) return
    seen[f] = 1
    k = split(includes[f], part, " ")
    for (i = 1; i <= k; i++) visit(part[i], backend)
    m = f; sub(/\.h$/, ".c", m)
    if (m != f && (m in known) && !(m in has_main)) visit(m, backend)
    k = split(system_h[f], part, " ")
    for (i = 1; i <= k; i++) {
        if (sub(/^gpu:/, "", part[i]) && backend == "loom") continue
        m = "loom/" part[i]
        # of cuda.h Loom has the tensor maps: who asks for it by name wants the driver
        if (backend == "loom" && (m in known) && m != "loom/cuda.h" && !(part[i] in missing))
            visit(m, backend)
        else if (part[i] == "cudnn.h" && host && !(part[i] in missing))
            ;                           # its descriptors need no GPU
        else if (backend == "loom" && (part[i] in cuda_only ||
            (part[i] ~ /^(cub|cuda|nvtx3|thrust)\// &&
            !is_there("tangled/loom/" part[i])))) lacks = part[i]
        if (part[i] ~ /^(cudnn|fftw3)\.h$/ && part[i] in missing) lacks = part[i]
        if (part[i] == "fftw3.h" && !host) continue   # Loom's cuFFT has it already
        if ((backend, part[i]) in lib &&
            (part[i] in cuda_only || !(part[i] in missing)) &&
            index(libs " ", " " lib[backend, part[i]] " ") == 0)
            libs = libs " " lib[backend, part[i]]
    }
}
function is_there(file,    line) {
    line = (getline line < file) > 0
    close(file)
    return line
}
function objects(    f, out) {
    for (f in seen)
        if (sub(/\.c$/, "", f))
            out = out " $(B)/loom/" f ".o"
    return out
}

# write the rules of a program
function rules_for(f,    b, n, backend, p, objs) {
    if (f ~ /\/mini\/solutions\//) return   # they extend the small Loom, and run on it alone
    n = split("loom gpu", backend, " ")
    for (b = 1; b <= n; b++) {
        split("", seen); libs = lacks = objs = ""; host = f ~ /\.c$/
        visit(f, backend[b])
        if (f ~ /\.cu$/ && backend[b] == "loom") {
            visit("loom/cuda_runtime.h", "loom")
            libs = libs " -lpthread"
        }
        if (lacks != "") continue
        p = f; sub(/\.[a-z]+$/, "", p)
        if (f !~ /\/wrong\//) {
            list[backend[b]] = list[backend[b]] " $(B)/" backend[b] "/" p
            if (backend[b] == "loom" && f ~ /\.cu$/ && !("measure/bench.h" in seen))
                list["inst"] = list["inst"] " $(B)/inst/" p
        }
        if (backend[b] == "gpu" && f ~ /\.c$/ && on_loom == f) {
            print "$(B)/gpu/" p ": $(B)/loom/" p
            print "\t@mkdir -p $(@D) && ln -f $< $@"
            continue
        }
        on_loom = f
        objs = objects()
        if (f !~ /\.c$/) objs = " $(B)/" backend[b] "/" p ".o" objs
        print "$(B)/" backend[b] "/" p ":" objs
        print "$(B)/" backend[b] "/" p ": LIBS :=" libs
        print "$(B)/" backend[b] "/" p ": LINK = $(LINK_" (f ~ /\.c$/ ? "c" \
            : backend[b]) ")"
    }
}
function headers_of(f,    h, p, rewritten, read) {
    split("", seen)
    visit(f, "gpu")
    for (h in seen) {
        if (h ~ /\.cuh$/) rewritten = rewritten " $(B)/loom/src/" h
        if ((h in known) && h ~ /h$/) read = read " $(SRC)/" h
    }
    p = f; sub(/\.cu$/, "", p)
    if (rewritten != "") print "$(B)/loom/" p ".o $(B)/inst/" p ".o: |" rewritten
    if (read != "") print "$(B)/gpu/" p ".cubin:" read
}
