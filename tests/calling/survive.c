/* A library that meets errors, callers who end runs and too little memory, ten thousand times over and
   in eight threads at once: what follows is right, and nothing leaks. The first argument is `limited`,
   where this process gets a limit of memory, or `sanitized`, where the sanitizer has one. */

#define _GNU_SOURCE

#include "spare_room.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define EXPECT(condition)                                                                         \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            printf("line %d: %s (%s)\n", __LINE__, #condition, spare_room_error());                   \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

enum { N = 2500, ROUNDS = 3 };

/* Two gigabytes of cells, which neither limit lets anybody have, and more bytes than there are. */
static const int64_t MUCH = (int64_t)1 << 28, BEYOND = (int64_t)1 << 61;

/* Cells that end where a page begins that nobody may touch. */
static size_t bytes_before_the_wall(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (N * sizeof(double) + page - 1) / page * page;
}

static double *cells_at_a_wall(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = bytes_before_the_wall();
    char *pages = (char *)mmap(NULL, bytes + page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + bytes, page, PROT_NONE) != 0) abort();
    return (double *)(pages + bytes) - N;
}

static void give_back(double *cells) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = bytes_before_the_wall();
    munmap((char *)(cells + N) - bytes, bytes + page);
}

static void fill(double *x, double first) {
    for (int i = 0; i < N; ++i) x[i] = first + i;
}

/* What a run makes of cells that were filled so. */
static int is_right(const double *y, double first) {
    for (int i = 0; i < N; ++i) {
        if (y[i] != 2 * (first + i + 6) + ROUNDS) return 0;
    }
    return 1;
}

static int rows_told;
static void row(void *user, const char *label, const double *values, size_t count) {
    (void)user, (void)values;
    if (strcmp(label, "the total") == 0 && count == 1) rows_told = 1;
}

/* A caller who wants a few rounds only. */
static int few(void *user) { return --*(int *)user >= 0; }

/* Whether a call ended so, of a state or of none. */
static int lacks_memory(int code, const spare_room_state *state) {
    const char *said = state != NULL ? spare_room_state_error(state) : spare_room_error();
    return code == 2 && strstr(said, "spare") != NULL && strstr(said, "does not fit in memory") != NULL;
}

/* A call by names. */
static int called(double *x, double *y, double first, double limit, int64_t spare) {
    double total;
    fill(x, first);
    return spare_room(N, spare, ROUNDS, limit, x, y, &total, row, NULL);
}

/* A call by addresses, of a caller who wants so many rounds. */
static int called_for(double *x, double *y, double first, int rounds) {
    const int64_t n = N, spare = 8;
    const int32_t all = ROUNDS;
    const double limit = 1e9;
    double total;
    fill(x, first);
    const void *arguments[] = {&n, &spare, &all, &limit, x, y, &total};
    struct glushkov_hooks hooks = {sizeof hooks, NULL, NULL, few, NULL};
    hooks.user = &rounds;
    return spare_room_with(arguments, &hooks);
}

/* The life of a state, with all that can happen to it. */
static int whole_life(double *x, double *y, double first) {
    const int64_t n = N, spare = 8;
    const double limit = 1e9, none = -1e9;
    spare_room_state *state = spare_room_create();
    EXPECT(state != NULL && spare_room_set(state, "N", &n) == 0);
    fill(x, first);
    EXPECT(spare_room_set(state, "limit", &limit) == 0 && spare_room_set(state, "x", x) == 0);
    EXPECT(spare_room_set(state, "ROOM", &MUCH) == 0);
    EXPECT(lacks_memory(spare_room_run(state, NULL), state));
    /* A copy that does not fit: nothing of it is read. */
    EXPECT(spare_room_set(state, "N", &MUCH) == 0 && spare_room_set(state, "x", x) == 2);
    EXPECT(strstr(spare_room_state_error(state), "`x` of 268435456 elements, 2147483648 bytes") != NULL);
    EXPECT(spare_room_set(state, "N", &n) == 0 && spare_room_set(state, "ROOM", &spare) == 0);
    /* What was set before is there still. */
    EXPECT(spare_room_run(state, NULL) == 0 && spare_room_get(state, "y", y) == 0);
    EXPECT(is_right(y, first));
    EXPECT(spare_room_set(state, "limit", &none) == 0 && spare_room_run(state, NULL) == 1);
    EXPECT(spare_room_set(state, "limit", &limit) == 0 && spare_room_set(state, "x", x) == 0);
    EXPECT(spare_room_run(state, NULL) == 0 && spare_room_get(state, "y", y) == 0 && is_right(y, first));
    spare_room_destroy(state);
    return 0;
}

static size_t resident(void) {
    unsigned long all = 0, here = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%lu %lu", &all, &here) != 2) here = 0;
    fclose(file);
    return here * (size_t)sysconf(_SC_PAGESIZE);
}

static int rounds_of(int from, int to, double *x, double *y) {
    for (int k = from; k < to; ++k) {
        EXPECT(called(x, y, k, 1e9, 8) == 0 && is_right(y, k) && spare_room_error()[0] == '\0');
        EXPECT(called_for(x, y, k, 100) == 0 && is_right(y, k));
        if (k % 5 == 0) EXPECT(called(x, y, k, -1e9, 8) == 1);
        if (k % 7 == 0) EXPECT(called_for(x, y, k, k % 3) == 3);
        if (k % 11 == 0) {
            EXPECT(lacks_memory(called(x, y, k, 1e9, MUCH), NULL));
            EXPECT(strstr(spare_room_error(), "2147483648 bytes") != NULL);
            EXPECT(lacks_memory(called(x, y, k, 1e9, BEYOND), NULL));
        }
        if (k % 13 == 0) EXPECT(whole_life(x, y, k) == 0);
    }
    return 0;
}

/* One of eight threads: 0 meets errors, 1 ends its runs, 2 has no memory, the others have results. */
static void *thread(void *given) {
    int *number = (int *)given;
    double *x = cells_at_a_wall(), *y = cells_at_a_wall();
    int failed = 0;
    for (int k = 0; k < 500; ++k) {
        switch (*number) {
            case 0: failed += called(x, y, k, -1e9, 8) != 1; break;
            case 1: failed += called_for(x, y, k, k % 3) != 3; break;
            case 2: failed += !lacks_memory(called(x, y, k, 1e9, MUCH), NULL); break;
            default: failed += called(x, y, k, 1e9, 8) != 0 || !is_right(y, k);
        }
        failed += k % 100 == 0 && whole_life(x, y, k) != 0;
    }
    give_back(x);
    give_back(y);
    *number = failed;
    return NULL;
}

int main(int argc, char **argv) {
    double *x = cells_at_a_wall(), *y = cells_at_a_wall();
    const int limited = argc > 1 && strcmp(argv[1], "limited") == 0;
    /* The threads of loops start with the first call. */
    EXPECT(called(x, y, 1, 1e9, 8) == 0 && is_right(y, 1) && rows_told);
    if (limited) {
        const struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
        EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    }
    EXPECT(rounds_of(0, 1001, x, y) == 0);
    const size_t before = resident();
    EXPECT(rounds_of(1001, 10000, x, y) == 0);
    /* A hundred bytes a call would be two megabytes; the sanitizer keeps what was freed. */
    if (limited) EXPECT(resident() < before + (1 << 20));
    pthread_t threads[8];
    int numbers[8];
    for (int k = 0; k < 8; ++k) {
        numbers[k] = k;
        if (pthread_create(&threads[k], NULL, thread, &numbers[k]) != 0) return 1;
    }
    for (int k = 0; k < 8; ++k) pthread_join(threads[k], NULL);
    for (int k = 0; k < 8; ++k) {
        if (numbers[k] != 0) {
            printf("thread %d: %d calls failed\n", k, numbers[k]);
            return 1;
        }
    }
    EXPECT(called(x, y, 2, 1e9, 8) == 0 && is_right(y, 2));
    give_back(x);
    give_back(y);
    puts("well");
    return 0;
}
