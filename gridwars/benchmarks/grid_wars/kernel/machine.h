/* One warrior's machine: the state that goes on from tick to tick. */
#ifndef MACHINE_H
#define MACHINE_H

#include "program.h"

enum {
    BUDGET = 2000, /* instructions per tick */
    MAX_OPEN_CALLS = 64,
    MAX_ELEMENTS = 4096, /* of all arrays of a machine together */
};

enum { KIND_INTEGER, KIND_BOOLEAN, KIND_ARRAY };

typedef struct {
    int64_t bits; /* the integer, 0 or 1 for a boolean, an array's number */
    uint32_t kind;
    uint32_t unused;
} Value;

typedef struct {
    uint32_t start, length; /* in `elements` */
} Array;

typedef struct {
    FaultCode code; /* FAULT_NONE while all is well */
    uint32_t address;
    uint32_t number_count;
    int64_t numbers[2];
} Fault;

typedef struct {
    const Program *program;
    const Operation *next;
    int32_t carry; /* instructions of `next` paid in advance, or, when negative, executed but not yet paid */
    uint32_t line; /* last reported */
    uint64_t random;
    int64_t spent; /* instructions executed, all ticks together */
    int32_t is_halted;
    Fault fault;

    uint32_t open_calls, array_count, element_count;
    Value *next_saved; /* where in `saved` the next call saves */
    Value values[MAX_VALUES];
    const Operation *calls[MAX_OPEN_CALLS];  /* the open ones */
    Array arrays[MAX_INSTRUCTIONS];        /* by number, which is the order of creation */
    int16_t array_of[MAX_INSTRUCTIONS];    /* by address of the literal; -1 until it first runs */
    int64_t elements[MAX_ELEMENTS];
    Value saved[MAX_OPEN_CALLS * MAX_SAVED]; /* by them, in their order */
} Machine;

/* What a tick's run came to. */
typedef struct {
    int32_t action; /* ACTION_NONE after a fault or the end of the program */
    int32_t is_stalled;
    int64_t dx, dy;
} Decision;

struct Battle;

void start_machine(Machine *machine, const Program *program, int32_t seat, uint64_t seed, int64_t bomb_cost);

/* Runs a machine that has neither halted nor faulted to its next action, stall, fault or end. */
Decision run_machine(Machine *machine, const struct Battle *battle, int32_t seat);

#endif
