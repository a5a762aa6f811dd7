# gdb.py: shows the CUDA thread in which gdb stands.
#   gdb -x .../lib/loom/gdb.py program        then: loom
import gdb


class Loom(gdb.Command):
    """loom: threadIdx, blockIdx, blockDim and gridDim of the CUDA thread that runs here."""

    def __init__(self):
        super().__init__("loom", gdb.COMMAND_DATA)

    def invoke(self, arg, from_tty):
        def triple(name):
            v = gdb.parse_and_eval(name)
            return "(%s,%s,%s)" % tuple(int(v[f]) for f in "xyz")

        try:
            running = int(gdb.parse_and_eval("loom_current")) != 0
        except gdb.error as e:
            raise gdb.GdbError("loom: this is no program of Loom's, or it does not run: %s" % e)
        if not running:
            raise gdb.GdbError("loom: this is the host's code; break in a kernel first")
        print("thread %s of block %s; blockDim %s, gridDim %s" % tuple(
            triple(n) for n in ("threadIdx", "blockIdx", "blockDim", "gridDim")))


Loom()
