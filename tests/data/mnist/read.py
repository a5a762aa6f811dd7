# read.py FILE: reads a safetensors file by its description alone.
import json
import math
import struct
import sys

bytes_ = open(sys.argv[1], "rb").read()
(length,) = struct.unpack("<Q", bytes_[:8])
header = json.loads(bytes_[8:8 + length])
data = memoryview(bytes_)[8 + length:]
meta = header.pop("__metadata__", {})
end = 0
for name, t in sorted(header.items(), key=lambda m: m[1]["data_offsets"]):
    first, last = t["data_offsets"]
    assert first == end, f"a gap or an overlap before {name}"
    assert last - first == 4 * math.prod(t["shape"]), name
    values = data[first:last].cast("f")
    print(f"{name:20} {t['dtype']} {t['shape']} sum {math.fsum(values):.6g}")
    end = last
assert end == len(data), "bytes that belong to no tensor"
print(meta)
