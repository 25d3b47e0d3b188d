/* Which locals must be zeroed when a proc is entered.

   GWL says that all locals are 0 then. The kernel spares itself those that are always written before they are read,
   which nearly all are: between the first store of a local and its last load, code that is only entered by way of
   that store need not be asked more. */
#include "source.h"

enum { MOST_ROUNDS = 4 };

typedef struct {
    int32_t source, target;
} Jump;

typedef struct {
    int32_t first_store, first_load, last_load;
} Use;

static Jump jumps[MAX_INSTRUCTIONS];
static Use uses[MAX_VALUES];

/* Collects the jumps of a proc and the uses of its locals; the number of jumps. */
static int32_t survey(const Source *source, int32_t proc)
{
    int32_t jump_count = 0;
    for (int32_t local = 0; local < source->procs[proc].local_count; local++)
        uses[local] = (Use){MAX_INSTRUCTIONS, MAX_INSTRUCTIONS, -1};
    for (int32_t address = 0; address < source->instruction_count; address++) {
        const Instruction *instruction = &source->instructions[address];
        if (source->depth[address] == UNREACHED || source->region[address] != proc)
            continue;
        if (instruction->op == INSTRUCTION_JUMP || instruction->op == INSTRUCTION_JUMP_FALSE) {
            jumps[jump_count++] = (Jump){address, instruction->a};
        } else if (instruction->op == INSTRUCTION_STORE && instruction->b == SCOPE_LOCAL) {
            Use *use = &uses[instruction->a];
            if (use->first_store == MAX_INSTRUCTIONS)
                use->first_store = address;
        } else if (instruction->op == INSTRUCTION_LOAD && instruction->b == SCOPE_LOCAL) {
            Use *use = &uses[instruction->a];
            if (use->first_load == MAX_INSTRUCTIONS)
                use->first_load = address;
            use->last_load = address;
        }
    }
    return jump_count;
}

static int is_always_written_first(const Use *use, int32_t jump_count)
{
    int32_t start = use->first_store, end = use->last_load;
    if (end < 0)
        return 1;
    if (use->first_load < start)
        return 0;
    for (int32_t round = 0; round < MOST_ROUNDS; round++) {
        int has_grown = 0;
        for (int32_t index = 0; index < jump_count; index++) {
            Jump jump = jumps[index];
            if (jump.target <= start || jump.target > end || (jump.source > start && jump.source <= end))
                continue;
            if (jump.source < start)
                return 0;
            end = jump.source; /* a loop: now nobody may jump to what is between, either */
            has_grown = 1;
        }
        if (!has_grown)
            return 1;
    }
    return 0;
}

uint32_t find_stale_locals(const Source *source, int32_t proc, uint32_t *locals)
{
    const ProcEntry *entry = &source->procs[proc];
    uint32_t count = 0;
    if (entry->local_count == entry->arity)
        return 0;
    int32_t jump_count = survey(source, proc);
    for (int32_t local = entry->arity; local < entry->local_count; local++)
        if (!is_always_written_first(&uses[local], jump_count))
            locals[count++] = (uint32_t)local;
    return count;
}
