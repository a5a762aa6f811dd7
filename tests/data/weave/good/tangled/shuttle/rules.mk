all:
	# say what was done
	echo "done" >&2

	cat <<-X
		tabs stay in a script
		X
