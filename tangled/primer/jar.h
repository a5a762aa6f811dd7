/* jar.h: a jar adds up what is put into it */
#ifndef PRIMER_JAR_H
#define PRIMER_JAR_H

struct jar;

enum jar_status { JAR_OK, JAR_NO_MEMORY, JAR_NOT_A_NUMBER };

enum jar_status jar_create(struct jar **out); /* an empty one */
enum jar_status jar_put(struct jar *j, double x);
double jar_sum(const struct jar *j);
void jar_destroy(struct jar *j); /* a NULL is ignored */

#endif
