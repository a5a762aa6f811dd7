all:
	echo "all"
