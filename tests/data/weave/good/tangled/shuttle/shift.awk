BEGIN { x = 1 }

# take a line
/^<</ { print "a" >> "file" }
