/* A program's bytes after they were checked: what translation may rely on without another look. */
#ifndef SOURCE_H
#define SOURCE_H

#include "program.h"

enum { UNREACHED = -1 };

typedef struct {
    int32_t op, a, b, line;
} Instruction;

typedef struct {
    int32_t entry, arity, local_count;
} ProcEntry;

typedef struct {
    const Instruction *instructions;
    const int32_t *constants; /* low and high words */
    const ProcEntry *procs;
    int32_t instruction_count, constant_count, name_count, global_count, proc_count;
    int16_t depth[MAX_INSTRUCTIONS];   /* height of the operand stack before each instruction, or UNREACHED */
    uint8_t region[MAX_INSTRUCTIONS];  /* which proc each belongs to, or TOP_LEVEL */
    uint8_t leader[MAX_INSTRUCTIONS];  /* 1 where a jump may arrive, or a conditional one go on */
    uint16_t max_depth[MAX_PROCS + 1]; /* of each region's operand stack */
} Source;

/* Checks that `length` bytes at `words` are a program, and that nothing it does could leave its own values. */
LoadStatus check_source(const int32_t *words, uint32_t length, Source *source);

/* How many arguments a builtin takes. */
int32_t builtin_arity(int32_t builtin);

/* The fault of an instruction that can only fault for its name or its argument count, else FAULT_NONE. */
FaultCode find_refusal(const Source *source, const Instruction *instruction);

/* Finds what the two below tell of the same source. */
void find_needs(const Source *source);

/* Whether a local may be read before it is written when its proc goes on at a reached address. */
int is_live(int32_t local, int32_t address);

/* Whether the other proc may run before a call of the first returns; of a proc itself it may. */
int leads_to(int32_t proc, int32_t other);

#endif
