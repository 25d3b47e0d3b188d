/* What the world outside can call, and the shape of what goes in and out.

   All of it is little-endian and naturally aligned. A caller writes a program's bytes to `input()`, calls
   `load(length)`, which gives the program a number, then writes jobs to `input()` and calls `play(count)`. */
#ifndef KERNEL_H
#define KERNEL_H

#include "picture.h"

enum {
    KERNEL_VERSION = 1, /* of this file's shapes and of `PROGRAM_VERSION` */
    INPUT_BYTES = 1 << 18,
    OUTPUT_BYTES = 1 << 22,
    MAX_LOADED = 1024,
    NO_PROGRAM = -1,
};

enum { WANT_TICK_DIGESTS = 1, WANT_PICTURES = 2 };

typedef struct {
    uint64_t seed;
    int64_t bomb_cost;            /* not negative */
    int32_t programs[SEAT_COUNT]; /* numbers that `load` gave, or NO_PROGRAM for a halted warrior */
    uint16_t spawn[SEAT_COUNT];   /* four different cells */
    int32_t ticks;                /* 1..MAX_TICKS */
    uint32_t wants;               /* WANT_..., added */
} Job;

typedef struct {
    int64_t energy;
    uint64_t random;
    int64_t spent; /* instructions executed */
    int64_t fault_numbers[2];
    int32_t fault_code, fault_address, fault_number_count;
    int32_t x, y, is_alive, idle, tiles, peak_tiles, kills, self_kills;
    int32_t illegal, blocked, refused, stalls, ticks_lived;
    int32_t death_tick, death_cause, line, action, is_halted;
    int32_t unused;
} SeatResult;

/* Followed by the samples of the tile curve, each of SEAT_COUNT uint16, with room for (ticks - 1) / 25 + 2; if
   wanted, a uint32 per tick, the digest's upper half; if wanted, a Picture per tick; the last two with room for all
   the ticks that the job allows; and padding to a multiple of 8. */
typedef struct {
    uint32_t bytes; /* of this result with all that follows it */
    int32_t ticks_played;
    int32_t ending;
    uint32_t sample_count;
    uint64_t digest;
    SeatResult seats[SEAT_COUNT];
    char board[CELL_COUNT]; /* at the end: `.` or an owner, over that `x` for a corpse, over all `*` for a bomb */
    uint32_t unused;
} Result;

#if defined(__wasm__)
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

EXPORT("version") int32_t version(void);
EXPORT("input") void *input(void);
EXPORT("output") void *output(void);

/* The program's number, or -1 - a LoadStatus. */
EXPORT("load") int32_t load(uint32_t length);

/* Forgets all programs; numbers begin at 0 again. */
EXPORT("unload") void unload(void);

/* Plays jobs in order until all are played or `output` might not hold the next result; how many were played, or
   -1 - the index of a job that is none. */
EXPORT("play") int32_t play(int32_t count);

#endif
