/* Which locals are still needed where, and which calls could overwrite them.

   GWL says that all locals are 0 when a proc is entered, and every activation has its own. The kernel spares itself
   zeroing those that are not needed at the entry, which is nearly all, and keeping those that nobody asks for after
   a call. A local is needed where its value may be read before it is written again. */
#include "source.h"

enum {
    MOST_SWEEPS = 16, /* loops nested as deep as GWL allows take 10 */
    WORDS = MAX_LOCALS / 64,
};

/* A bit per local, by word and address: those needed when the instruction there begins. */
static uint64_t needed[WORDS][MAX_INSTRUCTIONS];

static uint32_t reachable[MAX_PROCS]; /* a bit per proc */

static uint64_t find_needed(const Source *source, const uint64_t *live, int32_t address, int32_t word)
{
    const Instruction *instruction = &source->instructions[address];
    int is_local = instruction->b == SCOPE_LOCAL && instruction->a / 64 == word;
    switch (instruction->op) {
    case INSTRUCTION_RETURN:
    case INSTRUCTION_HALT:
        return 0;
    case INSTRUCTION_JUMP:
        return live[instruction->a];
    case INSTRUCTION_JUMP_FALSE:
        return live[instruction->a] | live[address + 1];
    case INSTRUCTION_LOAD:
        return live[address + 1] | (is_local ? UINT64_C(1) << instruction->a % 64 : 0);
    case INSTRUCTION_STORE:
        return live[address + 1] & ~(is_local ? UINT64_C(1) << instruction->a % 64 : 0);
    default:
        return live[address + 1];
    }
}

/* Whether something changed. */
static int sweep(const Source *source, uint64_t *live, int32_t word)
{
    uint64_t changes = 0;
    for (int32_t address = source->instruction_count - 1; address >= 0; address--) {
        if (source->depth[address] == UNREACHED)
            continue;
        uint64_t found = find_needed(source, live, address, word);
        changes |= found ^ live[address];
        live[address] = found;
    }
    return changes != 0;
}

static void find_live_locals(const Source *source)
{
    int32_t most = 0;
    for (int32_t proc = 0; proc < source->proc_count; proc++)
        if (source->procs[proc].local_count > most)
            most = source->procs[proc].local_count;
    for (int32_t word = 0; 64 * word < most; word++) {
        uint64_t *live = needed[word];
        for (int32_t address = 0; address < source->instruction_count; address++)
            live[address] = 0;
        int32_t sweeps = 0;
        while (sweeps < MOST_SWEEPS && sweep(source, live, word))
            sweeps++;
        if (sweeps == MOST_SWEEPS) /* jumps such as no source compiles to: too little is known */
            for (int32_t address = 0; address < source->instruction_count; address++)
                live[address] = UINT64_MAX;
    }
}

static void find_reachable_procs(const Source *source)
{
    for (int32_t proc = 0; proc < source->proc_count; proc++)
        reachable[proc] = UINT32_C(1) << proc;
    for (int32_t address = 0; address < source->instruction_count; address++) {
        const Instruction *instruction = &source->instructions[address];
        if (source->depth[address] != UNREACHED && source->region[address] != TOP_LEVEL &&
            instruction->op == INSTRUCTION_CALL && instruction->a >= FIRST_PROC)
            reachable[source->region[address]] |= UINT32_C(1) << (instruction->a - FIRST_PROC);
    }
    for (int32_t middle = 0; middle < source->proc_count; middle++)
        for (int32_t proc = 0; proc < source->proc_count; proc++)
            if (reachable[proc] >> middle & 1)
                reachable[proc] |= reachable[middle];
}

void find_needs(const Source *source)
{
    find_live_locals(source);
    find_reachable_procs(source);
}

int is_live(int32_t local, int32_t address)
{
    return needed[local / 64][address] >> local % 64 & 1;
}

int leads_to(int32_t proc, int32_t other)
{
    return reachable[proc] >> other & 1;
}
