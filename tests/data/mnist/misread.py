# misread.py FOLDER: from what `mnist predict` prints, the digits that it says are
# wrong, with their pictures from the test digits there, as rows for a figure.
import re
import sys


def numbers(name, header):
    with open(f"{sys.argv[1]}/t10k-{name}-ubyte", "rb") as f:
        return f.read()[header:]


pixels, labels = numbers("images-idx3", 16), numbers("labels-idx1", 8)
print("number,label,answer,pixels")
for number, answer in re.findall(r"#(\d+): (\d) \(\d+ %\) wrong", sys.stdin.read()):
    i = int(number)
    print(f"{i},{labels[i]},{answer},{pixels[784 * i:784 * (i + 1)].hex()}")
