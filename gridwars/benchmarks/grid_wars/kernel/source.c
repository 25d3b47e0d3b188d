/* Checking a program's bytes, so strictly that running it cannot go wrong. */
#include "source.h"

static LoadStatus read_header(const int32_t *words, uint32_t length, Source *source);
static int is_instruction_valid(const Source *source, const Instruction *instruction);
static int are_procs_valid(const Source *source);
static LoadStatus check_flow(Source *source);

LoadStatus check_source(const int32_t *words, uint32_t length, Source *source)
{
    LoadStatus status = read_header(words, length, source);
    if (status != LOAD_OK)
        return status;
    for (int32_t address = 0; address < source->instruction_count; address++)
        if (!is_instruction_valid(source, &source->instructions[address]))
            return LOAD_INSTRUCTION;
    if (!are_procs_valid(source))
        return LOAD_PROC;
    return check_flow(source);
}

int32_t builtin_arity(int32_t builtin)
{
    switch (builtin) {
    case BUILTIN_X:
    case BUILTIN_Y:
    case BUILTIN_TILES:
    case BUILTIN_ENERGY:
    case BUILTIN_TICK:
    case BUILTIN_ID:
    case BUILTIN_BOMBCOST:
        return 0;
    case BUILTIN_ALIVE:
    case BUILTIN_RAND:
    case BUILTIN_ABS:
    case BUILTIN_LEN:
        return 1;
    default:
        return 2;
    }
}

FaultCode find_refusal(const Source *source, const Instruction *instruction)
{
    int32_t a = instruction->a, b = instruction->b;
    switch (instruction->op) {
    case INSTRUCTION_LOAD:
    case INSTRUCTION_STORE:
        return b == SCOPE_UNDEFINED ? FAULT_UNDEFINED_VARIABLE : FAULT_NONE;
    case INSTRUCTION_CALL:
        if (a < 0)
            return FAULT_UNDEFINED_PROC;
        if (a >= FIRST_PROC)
            return b == source->procs[a - FIRST_PROC].arity ? FAULT_NONE : FAULT_PROC_ARITY;
        return a == ARRAY_LITERAL || b == builtin_arity(a) ? FAULT_NONE : FAULT_BUILTIN_ARITY;
    default:
        return FAULT_NONE;
    }
}

static int is_within(int32_t value, int32_t low, int32_t high)
{
    return low <= value && value <= high;
}

static LoadStatus read_header(const int32_t *words, uint32_t length, Source *source)
{
    if (length < 4 * HEADER_WORDS)
        return LOAD_LENGTH;
    if (words[0] != PROGRAM_MAGIC || words[1] != PROGRAM_VERSION || words[7] != 0 ||
        !is_within(words[2], 1, MAX_INSTRUCTIONS) || !is_within(words[3], 0, MAX_CONSTANTS) ||
        !is_within(words[4], 0, MAX_NAMES) || !is_within(words[5], 0, MAX_GLOBALS) ||
        !is_within(words[6], 0, MAX_PROCS))
        return LOAD_HEADER;
    source->instruction_count = words[2];
    source->constant_count = words[3];
    source->name_count = words[4];
    source->global_count = words[5];
    source->proc_count = words[6];
    words += HEADER_WORDS;
    source->instructions = (const Instruction *)words;
    words += INSTRUCTION_WORDS * source->instruction_count;
    source->constants = words;
    words += CONSTANT_WORDS * source->constant_count;
    source->procs = (const ProcEntry *)words;
    uint32_t expected = HEADER_WORDS + INSTRUCTION_WORDS * (uint32_t)source->instruction_count +
                        CONSTANT_WORDS * (uint32_t)source->constant_count +
                        PROC_WORDS * (uint32_t)source->proc_count;
    return length == 4 * expected ? LOAD_OK : LOAD_LENGTH;
}

static int is_slot_valid(const Source *source, int32_t slot, int32_t scope)
{
    switch (scope) {
    case SCOPE_GLOBAL:
        return is_within(slot, 0, source->global_count - 1);
    case SCOPE_LOCAL:
        return is_within(slot, 0, MAX_VALUES - 1); /* check_flow knows whose local it is */
    case SCOPE_UNDEFINED:
        return is_within(slot, 0, source->name_count - 1);
    default:
        return 0;
    }
}

static int is_callee_valid(const Source *source, int32_t callee)
{
    if (callee < 0)
        return is_within(-1 - callee, 0, source->name_count - 1);
    if (callee < FIRST_PROC)
        return callee <= ARRAY_LITERAL;
    return callee - FIRST_PROC < source->proc_count;
}

static int is_instruction_valid(const Source *source, const Instruction *instruction)
{
    int32_t a = instruction->a, b = instruction->b;
    if (!is_within(instruction->line, 0, MAX_LINE))
        return 0;
    switch (instruction->op) {
    case INSTRUCTION_PUSH:
        return is_within(b, 0, 1) && is_within(a, 0, b ? 1 : source->constant_count - 1);
    case INSTRUCTION_LOAD:
    case INSTRUCTION_STORE:
        return is_slot_valid(source, a, b);
    case INSTRUCTION_INDEX:
        return is_within(a, INDEX_READ, INDEX_WRITE) && b == 0;
    case INSTRUCTION_BINARY:
        return is_within(a, 0, BINARY_COUNT - 1) && b == 0;
    case INSTRUCTION_UNARY:
        return is_within(a, 0, UNARY_COUNT - 1) && b == 0;
    case INSTRUCTION_CALL:
        return is_callee_valid(source, a) && is_within(b, 0, MAX_INSTRUCTIONS);
    case INSTRUCTION_JUMP:
    case INSTRUCTION_JUMP_FALSE:
        return is_within(a, 0, source->instruction_count - 1) && b == 0;
    case INSTRUCTION_ENTER:
        return is_within(a, 0, MAX_VALUES) && b == 0;
    case INSTRUCTION_LEAVE:
        return is_within(a, 0, MAX_INSTRUCTIONS) && b == 0;
    case INSTRUCTION_ACTION:
        return is_within(a, ACTION_MOVE, ACTION_WAIT) && b == (a == ACTION_MOVE ? 2 : 0);
    case INSTRUCTION_RETURN:
    case INSTRUCTION_HALT:
        return a == 0 && b == 0;
    default:
        return 0;
    }
}

static int are_procs_valid(const Source *source)
{
    for (int32_t index = 0; index < source->proc_count; index++) {
        const ProcEntry *proc = &source->procs[index];
        if (!is_within(proc->entry, 0, source->instruction_count - 1) ||
            !is_within(proc->local_count, 0, MAX_VALUES) || !is_within(proc->arity, 0, proc->local_count))
            return 0;
        const Instruction *entry = &source->instructions[proc->entry];
        if (entry->op != INSTRUCTION_ENTER || entry->a != proc->local_count)
            return 0;
    }
    return 1;
}

/* Addresses reached but not yet followed; each is entered once. */
static int16_t pending[MAX_INSTRUCTIONS];
static int32_t pending_count;

static LoadStatus reach(Source *source, int32_t address, int32_t depth, uint8_t region)
{
    if (address >= source->instruction_count)
        return LOAD_FLOW;
    if (source->depth[address] != UNREACHED) {
        if (source->region[address] != region)
            return LOAD_FLOW;
        return source->depth[address] == depth ? LOAD_OK : LOAD_STACK;
    }
    if (source->instructions[address].op == INSTRUCTION_ENTER)
        return LOAD_FLOW;
    source->depth[address] = (int16_t)depth;
    source->region[address] = region;
    if (depth > source->max_depth[region])
        source->max_depth[region] = (uint16_t)depth;
    pending[pending_count++] = (int16_t)address;
    return LOAD_OK;
}

/* How many operands an instruction takes, and how many results it leaves. */
static void count_operands(const Instruction *instruction, int32_t *taken, int32_t *left)
{
    *taken = *left = 0;
    switch (instruction->op) {
    case INSTRUCTION_PUSH:
    case INSTRUCTION_LOAD:
        *left = 1;
        break;
    case INSTRUCTION_STORE:
    case INSTRUCTION_JUMP_FALSE:
    case INSTRUCTION_RETURN:
        *taken = 1;
        break;
    case INSTRUCTION_INDEX:
        *taken = instruction->a == INDEX_READ ? 2 : 3;
        *left = instruction->a == INDEX_READ;
        break;
    case INSTRUCTION_BINARY:
        *taken = 2;
        *left = 1;
        break;
    case INSTRUCTION_UNARY:
        *taken = *left = 1;
        break;
    case INSTRUCTION_CALL:
        *taken = instruction->b;
        *left = 1;
        break;
    case INSTRUCTION_LEAVE:
        *taken = instruction->a;
        break;
    case INSTRUCTION_ACTION:
        *taken = instruction->b;
        break;
    default:
        break;
    }
}

static LoadStatus follow(Source *source, int32_t address)
{
    const Instruction *instruction = &source->instructions[address];
    uint8_t region = source->region[address];
    int32_t depth = source->depth[address], taken, left;
    count_operands(instruction, &taken, &left);
    if (taken > depth)
        return LOAD_STACK;
    depth += left - taken;
    switch (instruction->op) {
    case INSTRUCTION_LOAD:
    case INSTRUCTION_STORE:
        if (instruction->b == SCOPE_LOCAL &&
            (region == TOP_LEVEL || instruction->a >= source->procs[region].local_count))
            return LOAD_INSTRUCTION;
        return reach(source, address + 1, depth, region);
    case INSTRUCTION_JUMP:
        source->leader[instruction->a] = 1;
        return reach(source, instruction->a, depth, region);
    case INSTRUCTION_JUMP_FALSE: {
        LoadStatus status = reach(source, instruction->a, depth, region);
        if (status == LOAD_OK)
            status = reach(source, address + 1, depth, region);
        if (status == LOAD_OK)
            source->leader[instruction->a] = source->leader[address + 1] = 1;
        return status;
    }
    case INSTRUCTION_RETURN:
        return region == TOP_LEVEL ? LOAD_FLOW : depth == 0 ? LOAD_OK : LOAD_STACK;
    case INSTRUCTION_HALT:
        return region == TOP_LEVEL ? LOAD_OK : LOAD_FLOW;
    default:
        return reach(source, address + 1, depth, region);
    }
}

static LoadStatus check_flow(Source *source)
{
    for (int32_t address = 0; address < source->instruction_count; address++) {
        source->depth[address] = UNREACHED;
        source->leader[address] = 0;
    }
    for (int32_t region = 0; region <= TOP_LEVEL; region++)
        source->max_depth[region] = 0;
    pending_count = 0;
    LoadStatus status = reach(source, 0, 0, TOP_LEVEL);
    for (int32_t proc = 0; proc < source->proc_count && status == LOAD_OK; proc++)
        status = reach(source, source->procs[proc].entry + 1, 0, (uint8_t)proc);
    while (pending_count > 0 && status == LOAD_OK)
        status = follow(source, pending[--pending_count]);
    return status;
}
