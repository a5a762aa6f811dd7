#!/bin/sh
cat << EOF >> "$1"
$HOME stays
EOF
cat <<'END' | sed 's/<//g'
<<<not a chunk>>>
END
if true; then
    # say what was done
    echo "done" >&2

    cat <<-X
    	tabs stay in a script
    	X
fi
