/* Calls the functions of a library as C and as C++ do: by names, by addresses, and wrongly. */

#include "spring_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                                         \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            printf("line %d: %s (%s)\n", __LINE__, #condition, spring_chain_error());             \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

struct seen {
    int rows, snapshots;
    double last, first_cell;
    size_t bytes;
};

static void row(void *user, const char *label, const double *values, size_t count) {
    struct seen *seen = (struct seen *)user;
    if (strcmp(label, "the total") == 0 && count == 2) ++seen->rows;
    seen->last = values[1];
}

static void snapshot(void *user, int series, const char *label, const void *cells, size_t bytes) {
    struct seen *seen = (struct seen *)user;
    if (series == 0 && strcmp(label, "x") == 0) ++seen->snapshots;
    memcpy(&seen->first_cell, cells, sizeof seen->first_cell);
    seen->bytes = bytes;
}

int main(void) {
    struct spring_chain_sizes sizes;
    EXPECT(spring_chain_sizes_of(3, &sizes) == 0);
    EXPECT(sizes.x[0] == 3 && sizes.weights[0] == 2);
    EXPECT(spring_chain_sizes_of(-1, &sizes) == 2);
    EXPECT(strstr(spring_chain_error(), "has a size of -1") != NULL);

    double step = 0, weights[2] = {0, 0};
    EXPECT(spring_chain_default_step(3.0, &step) == 0 && step == 1.5);
    EXPECT(spring_chain_values_of_weights(weights) == 0 && weights[1] == 0.25);

    const int64_t m[3] = {1, 2, 3};
    const float shift[2] = {10, 20};
    double x[3] = {0, 0, 0}, total = 0;
    float at[6] = {0};
    struct seen seen = {0, 0, 0, 0, 0};
    EXPECT(spring_chain(3, 2, 1.0, 0.5, false, weights, m, shift, x, at, &total, row, snapshot,
                        &seen) == 0);
    EXPECT(x[0] == 1 && x[2] == 3 && total == 6 && at[0] == 10 && at[5] == 23);
    EXPECT(seen.rows == 2 && seen.snapshots == 2 && seen.last == 6);
    EXPECT(seen.bytes == 3 * sizeof(double) && seen.first_cell == 1);
    EXPECT(spring_chain_seconds() >= 0 && spring_chain_error()[0] == '\0');

    /* By addresses. */
    const int32_t n = 3, steps = 2;
    const double dt = 1;
    const bool late = false;
    memset(x, 0, sizeof x);
    const void *arguments[] = {&n, &steps, &dt, &step, &late, weights, m, shift, x, at, &total};
    step = 0.25;
    EXPECT(spring_chain_call(arguments, NULL, NULL, NULL) == 0);
    EXPECT(x[2] == 1.5 && total == 3);
    arguments[3] = NULL;
    EXPECT(spring_chain_call(arguments, NULL, NULL, NULL) == 2);
    EXPECT(strcmp(spring_chain_error(), "`step` is null") == 0);
    EXPECT(spring_chain_call(NULL, NULL, NULL, NULL) == 2);

    /* Places of arrays: all on the host, and one on a device that is not there. */
    unsigned char places[11] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint64_t to_device = 1, from_device = 1;
    arguments[3] = &step;
    EXPECT(spring_chain_on(arguments, NULL, NULL, NULL) == 0 && total == 6);
    EXPECT(spring_chain_on(arguments, places, NULL, NULL) == 0 && total == 9);
    spring_chain_copied(&to_device, NULL);
    spring_chain_copied(NULL, &from_device);
    EXPECT(to_device == 0 && from_device == 0);
    places[8] = 1;
    EXPECT(spring_chain_on(arguments, places, NULL, NULL) == 2 && total == 9);
    EXPECT(strstr(spring_chain_error(), "`x` is given on a device") != NULL);
    places[8] = 0;
    places[0] = 7;
    EXPECT(spring_chain_on(arguments, places, NULL, NULL) == 2);
    EXPECT(strcmp(spring_chain_error(), "`N` has the place 7") == 0);
    EXPECT(spring_chain_with(arguments, NULL) == 0 && total == 12);

    /* Arrays that are not there, and an algorithm without a result. */
    EXPECT(spring_chain(3, 2, 1.0, 0.5, false, weights, NULL, shift, x, at, &total, NULL, NULL,
                        NULL) == 2);
    EXPECT(strcmp(spring_chain_error(), "`m` is null") == 0);
    EXPECT(spring_chain(0, 2, 1.0, 0.5, false, weights, NULL, shift, NULL, NULL, &total, NULL, NULL,
                        NULL) == 0);
    memset(&seen, 0, sizeof seen);
    EXPECT(spring_chain(3, 2, 1.0, 500.0, false, weights, m, shift, x, at, &total, row, NULL,
                        &seen) == 1);
    /* What came before is told nevertheless. */
    EXPECT(seen.rows == 1 && strstr(spring_chain_error(), "FILTER") != NULL);
    memset(x, 0, sizeof x);
    /* A subscript out of range, of which nothing is printed. */
    const int64_t far[3] = {7, 0, 0};
    EXPECT(spring_chain(3, 1, 1.0, 0.5, true, weights, far, shift, x, at, &total, NULL, NULL,
                        NULL) == 1);
    EXPECT(strstr(spring_chain_error(), "subscript") != NULL);
    puts("well");
    return 0;
}
