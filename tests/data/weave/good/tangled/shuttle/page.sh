cat << 'EOF'
```c
int a;
```
EOF
