/* wrong: compile: undeclared|undefined */
int main(void)
{
    return x;
}
