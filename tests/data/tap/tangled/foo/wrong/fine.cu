/* wrong: compile: No rule to make */
