/* States: what is kept between calls, errors, hooks, and two states in two threads. */

#include "spring_chain.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                                         \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            printf("line %d: %s (%s)\n", __LINE__, #condition, spring_chain_state_error(state));  \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

static int is_error(const spring_chain_state *state, const char *words) {
    return strcmp(spring_chain_state_error(state), words) == 0;
}

/* A caller who wants a few rounds only. */
static int few(void *user) { return --*(int *)user >= 0; }

static int whole_life(void) {
    spring_chain_state *state = spring_chain_create();
    const int32_t n = 3, more = 5, steps = 1;
    const int64_t m[3] = {1, 2, 3};
    const float shift[2] = {10, 20};
    const double zeros[3] = {0, 0, 0};
    double x[3], step = 0, total = 0;
    float at[6];

    /* Before anything is set. */
    EXPECT(spring_chain_set(state, "y", m) == 2 && is_error(state, "no argument is called `y`"));
    EXPECT(spring_chain_set(state, NULL, m) == 2);
    EXPECT(spring_chain_get(state, "x", x) == 2 && is_error(state, "`x` is not set"));
    EXPECT(spring_chain_get(state, "step", &step) == 0 && step == 0.25);
    EXPECT(spring_chain_set(state, "N", &n) == 0 && spring_chain_set(state, "STEPS", &steps) == 0);
    EXPECT(spring_chain_set(state, "N", NULL) == 2 && is_error(state, "`N` is null"));
    EXPECT(spring_chain_set(state, "m", m) == 0 && spring_chain_set(state, "shift", shift) == 0);
    EXPECT(spring_chain_run(state, NULL) == 2 && is_error(state, "`x` is not set"));
    EXPECT(spring_chain_set(state, "x", zeros) == 0);

    /* Two runs: the second goes on where the first ended. */
    EXPECT(spring_chain_run(state, NULL) == 0);
    EXPECT(spring_chain_get(state, "x", x) == 0 && x[2] == 0.75);
    EXPECT(spring_chain_run(state, NULL) == 0 && spring_chain_state_error(state)[0] == '\0');
    EXPECT(spring_chain_get(state, "x", x) == 0 && x[2] == 1.5);
    EXPECT(spring_chain_get(state, "total", &total) == 0 && total == 3);
    EXPECT(spring_chain_get(state, "at", at) == 0 && at[5] == 23);

    /* Another size, and back. */
    EXPECT(spring_chain_set(state, "N", &more) == 0 && spring_chain_run(state, NULL) == 2);
    EXPECT(is_error(state, "`m` was set with sizes [3], and its sizes are [5] now"));
    EXPECT(spring_chain_set(state, "N", &n) == 0 && spring_chain_run(state, NULL) == 0);

    /* An algorithm without a result, after which the state goes on. */
    const double huge = 1e6, dt = 0.5;
    EXPECT(spring_chain_set(state, "dt", &huge) == 0 && spring_chain_run(state, NULL) == 1);
    EXPECT(strstr(spring_chain_state_error(state), "FILTER") != NULL);
    EXPECT(spring_chain_set(state, "dt", &dt) == 0 && spring_chain_set(state, "x", zeros) == 0);
    EXPECT(spring_chain_run(state, NULL) == 0);

    /* Hooks: none of a wrong size, none that lets a run begin, one that ends it after two rounds. */
    struct glushkov_hooks hooks = {1, NULL, NULL, few, NULL};
    int rounds = 0;
    hooks.user = &rounds;
    EXPECT(spring_chain_run(state, &hooks) == 2);
    hooks.size = sizeof hooks;
    EXPECT(spring_chain_set(state, "x", zeros) == 0 && spring_chain_run(state, &hooks) == 3);
    EXPECT(is_error(state, "the caller ended the run"));
    EXPECT(spring_chain_get(state, "x", x) == 0 && x[2] == 0);
    const int32_t many = 100;
    EXPECT(spring_chain_set(state, "STEPS", &many) == 0);
    rounds = 3;
    EXPECT(spring_chain_run(state, &hooks) == 3 && rounds == -1);
    EXPECT(spring_chain_get(state, "x", x) == 0 && x[2] == 1.5);
    spring_chain_destroy(state);
    spring_chain_destroy(NULL);
    EXPECT((state = NULL) == NULL && spring_chain_run(state, NULL) == 2);
    return 0;
}

/* Runs of one state, while another thread has another one. */
static void *runs(void *result) {
    spring_chain_state *state = spring_chain_create();
    const int64_t m[4] = {1, 1, 1, 1};
    const float shift[2] = {0, 0};
    const double zeros[4] = {0, 0, 0, 0};
    double total = 0;
    int failed = spring_chain_set(state, "m", m) + spring_chain_set(state, "shift", shift);
    for (int k = 0; k < 200; ++k) {
        failed += spring_chain_set(state, "x", zeros) + spring_chain_run(state, NULL);
        failed += spring_chain_set(state, "none", zeros) != 2;
        failed += spring_chain_get(state, "total", &total) + (total != 2);
    }
    spring_chain_destroy(state);
    *(int *)result = failed;
    return NULL;
}

int main(void) {
    if (whole_life() != 0) return 1;
    pthread_t threads[2];
    int failed[2] = {1, 1};
    for (int k = 0; k < 2; ++k) {
        if (pthread_create(&threads[k], NULL, runs, &failed[k]) != 0) return 1;
    }
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    if (failed[0] != 0 || failed[1] != 0) {
        printf("%d and %d calls failed\n", failed[0], failed[1]);
        return 1;
    }
    puts("well");
    return 0;
}
