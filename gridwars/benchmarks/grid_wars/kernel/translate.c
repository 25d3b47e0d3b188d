/* From the stack machine's instructions to operations on registers.

   Translation walks the code and keeps, instead of an operand stack, a list of where each operand is: a constant
   or variable is not copied before something needs it, so `LOAD a, LOAD b, ADD, STORE c` becomes one operation of
   price 4. Three rules keep this exact. An operation stands for instructions of which one at most can fault, act or
   look at the world; the rest only touch the machine's own values, so nobody sees whether they ran a little
   sooner or later (see `Origin`). Wherever code can be entered, each operand is in its own place on the stack
   (`flush`). And a variable that is to be overwritten while its old value waits as an operand is copied first. */
#include "source.h"

enum {
    MAX_PRICE = 500,     /* below a tick's budget, so that any operation fits one tick */
    LONGEST_CONDITION = 8,
    NO_OPERATION = -1,
    ROOM_BYTES = 1 << 22,
};

static Source source;

/* The program being made. */
static Operation operations[MAX_OPERATIONS];
static Origin origins[MAX_OPERATIONS];
static uint16_t addresses[MAX_ADDRESSES];
static uint32_t operands[MAX_OPERANDS];
static Call calls[MAX_INSTRUCTIONS];
static uint32_t frame[MAX_PROCS]; /* index of each proc's first local among the values */
static Span zeroed[MAX_PROCS];    /* locals that each proc may read before it writes them */
static int32_t operation_count, address_count, operand_count, call_count;
static int is_full; /* set when one of the tables above ran over */

/* The walk. */
static int32_t label[MAX_INSTRUCTIONS];    /* operation at which an address begins, or NO_OPERATION */
static uint8_t is_wanted[MAX_INSTRUCTIONS]; /* 1 for an address that is or was in `wanted` */
static int16_t wanted[MAX_INSTRUCTIONS];   /* addresses that operations lead to */
static int32_t wanted_count;
static int32_t unpaid;                     /* addresses at the end of `addresses` that no operation has yet */
static int32_t last; /* the operation just made, if more instructions may be counted to it; or NO_OPERATION */

/* The operands: indices of values. Those below `copied` are all in their own places. */
static uint32_t operand_at[MAX_INSTRUCTIONS];
static int32_t height, copied;
static uint32_t region_values;        /* index of the running region's first operand place */
static uint16_t uses[MAX_VALUES];     /* how often each value waits as an operand outside its own place */
static uint32_t first_global, region_base[MAX_PROCS + 1];

static LoadStatus lay_out_values(void);
static void find_zeroed_locals(void);
static void want(int32_t address);
static void translate_from(int32_t address);
static void resolve_jumps(void);
static LoadStatus keep(Program *program);

LoadStatus load_program(const int32_t *words, uint32_t length, Program *program)
{
    LoadStatus status = check_source(words, length, &source);
    if (status == LOAD_OK)
        status = lay_out_values();
    if (status != LOAD_OK)
        return status;
    operation_count = address_count = operand_count = call_count = wanted_count = 0;
    is_full = 0;
    for (int32_t address = 0; address < source.instruction_count; address++) {
        label[address] = NO_OPERATION;
        is_wanted[address] = 0;
    }
    find_needs(&source);
    find_zeroed_locals();
    want(0);
    while (wanted_count > 0 && !is_full)
        translate_from(wanted[--wanted_count]);
    if (is_full)
        return LOAD_SIZE;
    resolve_jumps();
    return keep(program);
}

static uint32_t offset_of(uint32_t value)
{
    return value * VALUE_BYTES;
}

/* Makes a span reach to a value that lies after all that is in it. */
static void extend(Span *span, uint32_t value)
{
    if (span->count == 0)
        span->offset = offset_of(value);
    span->count = (offset_of(value) - span->offset) / VALUE_BYTES + 1;
}

static LoadStatus lay_out_values(void)
{
    uint32_t count = FIRST_CONSTANT + 2 * (uint32_t)source.constant_count;
    first_global = count;
    count += (uint32_t)source.global_count;
    region_base[TOP_LEVEL] = count;
    count += source.max_depth[TOP_LEVEL];
    for (int32_t index = 0; index < source.proc_count; index++) {
        const ProcEntry *entry = &source.procs[index];
        if (entry->local_count > MAX_LOCALS)
            return LOAD_SIZE;
        frame[index] = count;
        count += (uint32_t)entry->local_count;
        region_base[index] = count;
        count += source.max_depth[index];
        if (count > MAX_VALUES)
            return LOAD_SIZE;
    }
    if (count > MAX_VALUES)
        return LOAD_SIZE;
    for (uint32_t value = 0; value < count; value++)
        uses[value] = 0;
    return LOAD_OK;
}

static void find_zeroed_locals(void)
{
    for (int32_t proc = 0; proc < source.proc_count; proc++) {
        const ProcEntry *entry = &source.procs[proc];
        zeroed[proc] = (Span){0, 0};
        for (int32_t local = entry->arity; local < entry->local_count; local++)
            if (is_live(local, entry->entry + 1))
                extend(&zeroed[proc], frame[proc] + (uint32_t)local);
    }
}

static void want(int32_t address)
{
    if (is_wanted[address] || label[address] != NO_OPERATION)
        return;
    is_wanted[address] = 1;
    wanted[wanted_count++] = (int16_t)address;
}

/* Makes an operation that stands for all that is owed; the last of it is the active instruction. */
static void emit(OperationCode code, uint32_t a, uint32_t b, uint32_t c)
{
    if (operation_count == MAX_OPERATIONS) {
        is_full = 1;
        return;
    }
    last = operation_count++;
    operations[last] = (Operation){(uint16_t)code, (uint16_t)unpaid, a, b, c};
    origins[last] = (Origin){(uint32_t)(address_count - unpaid), (uint32_t)unpaid};
    unpaid = 0;
}

/* Counts what is owed to the operation just made, or to one that does nothing else. */
static void settle(void)
{
    if (unpaid == 0)
        return;
    if (last != NO_OPERATION && operations[last].price + unpaid <= MAX_PRICE) {
        operations[last].price = (uint16_t)(operations[last].price + unpaid);
        unpaid = 0;
    } else {
        emit(OP_NOTHING, 0, 0, 0);
    }
}

/* Counts an instruction to the next operation. */
static void owe(int32_t address)
{
    if (unpaid == MAX_PRICE)
        settle();
    if (address_count == MAX_ADDRESSES) {
        is_full = 1;
        return;
    }
    addresses[address_count++] = (uint16_t)address;
    unpaid++;
}

/* Counts an instruction that needs no operation, such as a jump that is followed at once. */
static void pass(int32_t address)
{
    owe(address);
    if (unpaid == 1 && last != NO_OPERATION)
        settle();
}

/* Counts an instruction to operation `last` itself, which then goes elsewhere. */
static void attach(int32_t address)
{
    owe(address);
    if (is_full)
        return;
    operations[last].price++;
    unpaid = 0;
}

static uint32_t own_place(int32_t position)
{
    return region_values + (uint32_t)position;
}

static void push(uint32_t value)
{
    operand_at[height] = value;
    if (value != own_place(height))
        uses[value]++;
    height++;
}

static uint32_t pop(void)
{
    uint32_t value = operand_at[--height];
    if (value != own_place(height))
        uses[value]--;
    if (copied > height)
        copied = height;
    return value;
}

static void place_operand(int32_t position)
{
    uint32_t value = operand_at[position], place = own_place(position);
    if (value == place)
        return;
    uses[value]--;
    operand_at[position] = place;
    emit(OP_MOVE, offset_of(value), 0, offset_of(place));
}

/* Puts every operand in its own place. */
static void flush(void)
{
    for (; copied < height; copied++)
        place_operand(copied);
}

static int is_constant(uint32_t value)
{
    return value < first_global && value != VALUE_X && value != VALUE_Y;
}

/* Puts every operand that a call might change in its own place. A caller's locals it does not change, see
   `set_saved`. */
static void flush_for_call(void)
{
    for (int32_t position = copied; position < height; position++)
        if (!is_constant(operand_at[position]) && operand_at[position] < region_base[TOP_LEVEL])
            place_operand(position);
}

/* Makes an operation whose result becomes the top operand. */
static void emit_result(OperationCode code, uint32_t left, uint32_t right)
{
    uint32_t place = own_place(height);
    emit(code, offset_of(left), offset_of(right), offset_of(place));
    push(place);
}

static int is_comparison(int32_t code)
{
    return code >= OP_EQUAL && code <= OP_GREATER_EQUAL;
}

static int has_result(int32_t code)
{
    return (code >= OP_MOVE && code <= OP_GREATER_EQUAL) || (code >= OP_NEGATE && code <= OP_LOAD_ITEM) ||
           code == OP_ARRAY || (code >= OP_CHECK && code <= OP_DIV);
}

/* Operation `last` if it made the top operand and nothing is owed since, else NO_OPERATION. */
static int32_t maker_of_top(void)
{
    if (last == NO_OPERATION || unpaid > 0 || height == 0)
        return NO_OPERATION;
    uint32_t place = own_place(height - 1);
    int made = operand_at[height - 1] == place && has_result(operations[last].code) &&
               operations[last].c == offset_of(place);
    return made ? last : NO_OPERATION;
}

static int is_boolean_constant(uint32_t value)
{
    return value == VALUE_FALSE || value == VALUE_TRUE;
}

/* The comparison, or the jump upon it, that holds where `code` does not. */
static uint16_t opposite(int32_t code)
{
    static const uint8_t opposites[] = {1, 0, 5, 4, 3, 2};
    int32_t first = code >= OP_JUMP_EQUAL ? OP_JUMP_EQUAL : OP_EQUAL;
    return (uint16_t)(first + opposites[code - first]);
}

static uint32_t slot_value(const Instruction *instruction, uint32_t region)
{
    uint32_t first = instruction->b == SCOPE_GLOBAL ? first_global : frame[region];
    return first + (uint32_t)instruction->a;
}

static void translate_store(int32_t address, uint32_t slot)
{
    int32_t maker = maker_of_top();
    uint32_t value = pop();
    if (uses[slot] > 0)
        flush();
    if (maker != NO_OPERATION && maker == last) {
        operations[maker].c = offset_of(slot);
        pass(address);
    } else if (value == slot) {
        pass(address);
    } else {
        owe(address);
        emit(OP_MOVE, offset_of(value), 0, offset_of(slot));
    }
}

/* Whether the constant has a negation, which the least integer has not. */
static int is_negatable(uint32_t constant)
{
    return source.constants[2 * constant] != 0 || source.constants[2 * constant + 1] != INT32_MIN;
}

static void translate_negation(int32_t address)
{
    int32_t maker = maker_of_top();
    uint32_t value = pop(), constant = value - FIRST_CONSTANT;
    if (maker != NO_OPERATION && operations[maker].code == OP_NEGATE) {
        operations[maker].b ^= 1;
        pass(address);
        push(value);
    } else if (value >= FIRST_CONSTANT && constant < (uint32_t)source.constant_count && is_negatable(constant)) {
        pass(address);
        push(value + (uint32_t)source.constant_count);
    } else {
        owe(address);
        emit_result(OP_NEGATE, value, 0);
    }
}

static void translate_logic(int32_t address, int32_t operator)
{
    int32_t maker = maker_of_top();
    int32_t made_by = maker == NO_OPERATION ? OP_NOTHING : operations[maker].code;
    uint32_t value = pop();
    int is_not = operator == UNARY_NOT;
    if (is_boolean_constant(value)) {
        pass(address);
        push(is_not ? VALUE_FALSE + VALUE_TRUE - value : value);
    } else if (is_comparison(made_by) || made_by == OP_NOT) {
        if (is_not && made_by == OP_NOT)
            operations[maker].b ^= 1;
        else if (is_not)
            operations[maker].code = opposite(made_by);
        pass(address);
        push(value);
    } else {
        owe(address);
        emit_result(is_not ? OP_NOT : OP_ASSERT_BOOLEAN, value, 0);
        operations[last].b = (uint32_t)is_not;
    }
}

/* Returns the address to go on at. */
static int32_t translate_condition(int32_t address, int32_t if_false)
{
    int32_t if_true = address + 1, maker = maker_of_top();
    uint32_t value = pop();
    if (is_boolean_constant(value)) {
        pass(address);
        return value == VALUE_TRUE ? if_true : if_false;
    }
    flush();
    int jumps_if_true = label[if_true] != NO_OPERATION && label[if_false] == NO_OPERATION;
    int32_t goal = jumps_if_true ? if_true : if_false;
    if (maker != NO_OPERATION && maker == last && is_comparison(operations[maker].code)) {
        uint16_t comparison = operations[maker].code;
        operations[maker].code = jumps_if_true ? comparison : opposite(comparison);
        operations[maker].code = (uint16_t)(operations[maker].code + OP_JUMP_EQUAL - OP_EQUAL);
        operations[maker].c = (uint32_t)goal;
        attach(address);
    } else {
        owe(address);
        emit(jumps_if_true ? OP_JUMP_TRUE : OP_JUMP_FALSE, offset_of(value), 0, (uint32_t)goal);
    }
    last = NO_OPERATION;
    want(goal);
    return jumps_if_true ? if_false : if_true;
}

static void list_operand(uint32_t value)
{
    if (operand_count == MAX_OPERANDS)
        is_full = 1;
    else
        operands[operand_count++] = offset_of(value);
}

/* Takes the top `count` operands and lists where they are. */
static void list_operands(int32_t count)
{
    for (int32_t position = height - count; position < height; position++)
        list_operand(operand_at[position]);
    while (count-- > 0)
        pop();
}

/* Whether the parameter's place can take its argument before the call does the rest. */
static int is_free(int32_t proc, int32_t parameter, int32_t address)
{
    return source.region[address] != proc ||
           (uses[frame[proc] + (uint32_t)parameter] == 0 && !is_live(parameter, address + 1));
}

/* Whether moving the arguments one by one would overwrite one of them: those of a proc that calls itself lie where
   they are to go. */
static int do_arguments_collide(int32_t proc, int32_t count)
{
    for (int32_t index = 1; index < count; index++) {
        uint32_t value = operand_at[height - count + index];
        if (value >= frame[proc] && value < frame[proc] + (uint32_t)index)
            return 1;
    }
    return 0;
}

/* Takes the arguments and lists the moves that put them where the proc looks for them. */
static void list_moves(int32_t address, int32_t proc, Call *call)
{
    int32_t count = source.procs[proc].arity, maker = maker_of_top();
    if (count > 0 && maker != NO_OPERATION && is_free(proc, count - 1, address)) {
        operations[maker].c = offset_of(frame[proc] + (uint32_t)--count);
        pop();
    }
    if (do_arguments_collide(proc, count))
        flush();
    call->moves = (uint32_t)operand_count;
    for (int32_t index = 0; index < count; index++) {
        uint32_t from = operand_at[height - count + index], to = frame[proc] + (uint32_t)index;
        if (from != to) {
            list_operand(from);
            list_operand(to);
        }
    }
    call->move_count = ((uint32_t)operand_count - call->moves) / 2;
    while (count-- > 0)
        pop();
}

/* Sets what a proc must have again when a call that may lead back into it is over. */
static void set_saved(int32_t address, int32_t proc, Call *call)
{
    uint32_t region = source.region[address];
    call->locals = call->waiting = (Span){0, 0};
    if (region == TOP_LEVEL || !leads_to(proc, (int32_t)region))
        return;
    for (int32_t local = 0; local < source.procs[region].local_count; local++) {
        uint32_t value = frame[region] + (uint32_t)local;
        if (is_live(local, address + 1) || uses[value] > 0)
            extend(&call->locals, value);
    }
    for (int32_t position = 0; position < height; position++)
        if (operand_at[position] == own_place(position))
            extend(&call->waiting, own_place(position));
    if (call->locals.count + call->waiting.count > MAX_SAVED)
        is_full = 1;
}

/* Returns the address to go on at: a store of the result is done in one with the call. */
static int32_t translate_call(int32_t address, int32_t proc)
{
    uint32_t region = source.region[address];
    if (call_count == MAX_INSTRUCTIONS) {
        is_full = 1;
        return address;
    }
    Call *call = &calls[call_count];
    list_moves(address, proc, call);
    flush_for_call();
    const Instruction *next = &source.instructions[address + 1];
    int is_stored = next->op == INSTRUCTION_STORE && next->b != SCOPE_UNDEFINED && !source.leader[address + 1];
    uint32_t result = is_stored ? slot_value(next, region) : own_place(height);
    if (uses[result] > 0)
        flush();
    set_saved(address, proc, call);
    call->zeroed = zeroed[proc];
    owe(address);
    emit(OP_CALL, (uint32_t)call_count++, (uint32_t)source.procs[proc].entry + 1, offset_of(result));
    attach(source.procs[proc].entry);
    last = NO_OPERATION;
    want(source.procs[proc].entry + 1);
    if (is_stored) {
        owe(address + 1);
        return address + 2;
    }
    push(result);
    return address + 1;
}

static const uint8_t builtin_operations[BUILTIN_COUNT] = {
    [BUILTIN_CHECK] = OP_CHECK, [BUILTIN_WHO] = OP_WHO, [BUILTIN_ALIVE] = OP_ALIVE, [BUILTIN_RAND] = OP_RAND,
    [BUILTIN_ABS] = OP_ABS,     [BUILTIN_MIN] = OP_MIN, [BUILTIN_MAX] = OP_MAX,     [BUILTIN_LEN] = OP_LEN,
    [BUILTIN_XOR] = OP_XOR,     [BUILTIN_SHL] = OP_SHL, [BUILTIN_SHR] = OP_SHR,     [BUILTIN_MOD] = OP_MOD,
    [BUILTIN_DIV] = OP_DIV,
};

static void translate_builtin(int32_t address, int32_t builtin)
{
    owe(address);
    switch (builtin) {
    /* The first four do not change before the next action, so when they are read does not matter. */
    case BUILTIN_ID:
        push(VALUE_ID);
        break;
    case BUILTIN_BOMBCOST:
        push(VALUE_BOMBCOST);
        break;
    case BUILTIN_X:
        push(VALUE_X);
        break;
    case BUILTIN_Y:
        push(VALUE_Y);
        break;
    case BUILTIN_TILES:
        emit_result(OP_MOVE, VALUE_TILES, 0);
        break;
    case BUILTIN_ENERGY:
        emit_result(OP_MOVE, VALUE_ENERGY, 0);
        break;
    case BUILTIN_TICK:
        emit_result(OP_MOVE, VALUE_TICK, 0);
        break;
    default: {
        uint32_t right = builtin_arity(builtin) == 2 ? pop() : 0;
        uint32_t left = pop();
        emit_result(builtin_operations[builtin], left, right);
    }
    }
}

static void translate_array(int32_t address, int32_t count)
{
    uint32_t items = (uint32_t)operand_count;
    if (operand_count == MAX_OPERANDS) {
        is_full = 1;
        return;
    }
    operands[operand_count++] = (uint32_t)count;
    list_operands(count);
    owe(address);
    emit(OP_ARRAY, items, (uint32_t)address, offset_of(own_place(height)));
    push(own_place(height));
}

static void translate_refusal(int32_t address, FaultCode refusal)
{
    const Instruction *instruction = &source.instructions[address];
    int32_t expected = 0;
    if (refusal == FAULT_PROC_ARITY)
        expected = source.procs[instruction->a - FIRST_PROC].arity;
    else if (refusal == FAULT_BUILTIN_ARITY)
        expected = builtin_arity(instruction->a);
    owe(address);
    emit(OP_FAULT, refusal, (uint32_t)expected, (uint32_t)instruction->b);
}

/* Translates one instruction; returns the address to go on at, or UNREACHED where it goes on nowhere. */
static int32_t translate(int32_t address)
{
    const Instruction *instruction = &source.instructions[address];
    int32_t a = instruction->a, b = instruction->b;
    FaultCode refusal = find_refusal(&source, instruction);
    if (refusal != FAULT_NONE) {
        translate_refusal(address, refusal);
        return UNREACHED;
    }
    switch (instruction->op) {
    case INSTRUCTION_PUSH:
        owe(address);
        push(b ? (a ? VALUE_TRUE : VALUE_FALSE) : FIRST_CONSTANT + (uint32_t)a);
        break;
    case INSTRUCTION_LOAD:
        owe(address);
        push(slot_value(instruction, source.region[address]));
        break;
    case INSTRUCTION_STORE:
        translate_store(address, slot_value(instruction, source.region[address]));
        break;
    case INSTRUCTION_INDEX: {
        uint32_t item = a == INDEX_WRITE ? pop() : 0;
        uint32_t index = pop(), array = pop();
        owe(address);
        if (a == INDEX_READ)
            emit_result(OP_LOAD_ITEM, array, index);
        else
            emit(OP_STORE_ITEM, offset_of(array), offset_of(index), offset_of(item));
        break;
    }
    case INSTRUCTION_BINARY: {
        uint32_t right = pop(), left = pop();
        owe(address);
        emit_result(OP_ADD + a, left, right);
        break;
    }
    case INSTRUCTION_UNARY:
        if (a == UNARY_NEGATE)
            translate_negation(address);
        else
            translate_logic(address, a);
        break;
    case INSTRUCTION_CALL:
        if (a >= FIRST_PROC)
            return translate_call(address, a - FIRST_PROC);
        if (a == ARRAY_LITERAL)
            translate_array(address, b);
        else
            translate_builtin(address, a);
        break;
    case INSTRUCTION_JUMP:
        pass(address);
        return a;
    case INSTRUCTION_JUMP_FALSE:
        return translate_condition(address, a);
    case INSTRUCTION_RETURN: {
        uint32_t value = pop();
        owe(address);
        emit(OP_RETURN, offset_of(value), 0, 0);
        return UNREACHED;
    }
    case INSTRUCTION_LEAVE:
        for (; a > 0; a--)
            pop();
        pass(address);
        break;
    case INSTRUCTION_ACTION: {
        uint32_t dy = a == ACTION_MOVE ? pop() : 0, dx = a == ACTION_MOVE ? pop() : 0;
        flush();
        owe(address);
        emit(OP_ACT, offset_of(dx), offset_of(dy), (uint32_t)a);
        last = NO_OPERATION;
        break;
    }
    default:
        owe(address);
        emit(OP_HALT, 0, 0, 0);
        return UNREACHED;
    }
    return address + 1;
}

/* Whether the loop condition at `address` is short enough to stand a second time at the loop's end, which saves
   the jump back. */
static int is_short_condition(int32_t address)
{
    if (source.depth[address] != 0)
        return 0;
    for (int32_t length = 0; length < LONGEST_CONDITION; length++) {
        const Instruction *instruction = &source.instructions[address + length];
        if (length > 0 && source.leader[address + length])
            return 0;
        switch (instruction->op) {
        case INSTRUCTION_JUMP_FALSE:
            return 1;
        case INSTRUCTION_PUSH:
        case INSTRUCTION_LOAD:
        case INSTRUCTION_BINARY:
        case INSTRUCTION_UNARY:
            break;
        case INSTRUCTION_CALL:
            if (instruction->a >= ARRAY_LITERAL)
                return 0;
            break;
        default:
            return 0;
        }
        if (find_refusal(&source, instruction) != FAULT_NONE)
            return 0;
    }
    return 0;
}

/* Whether the instruction at an address where ways meet can be translated for this way alone, because it takes the
   top operand and that is known here: the end of an `and` or `or`. */
static int is_absorbed(int32_t address)
{
    if (height == 0 || (!is_boolean_constant(operand_at[height - 1]) && maker_of_top() == NO_OPERATION))
        return 0;
    for (int32_t position = copied; position < height - 1; position++)
        if (operand_at[position] != own_place(position))
            return 0;
    const Instruction *instruction = &source.instructions[address];
    switch (instruction->op) {
    case INSTRUCTION_JUMP_FALSE:
    case INSTRUCTION_RETURN:
        return 1;
    case INSTRUCTION_STORE:
        return instruction->b != SCOPE_UNDEFINED;
    case INSTRUCTION_UNARY:
        return instruction->a != UNARY_NEGATE;
    default:
        return 0;
    }
}

static void translate_from(int32_t address)
{
    int is_shared = 1, has_copied = 0; /* code that other ways may have translated too; a condition was repeated */
    if (label[address] != NO_OPERATION)
        return;
    region_values = region_base[source.region[address]];
    height = copied = source.depth[address];
    for (int32_t position = 0; position < height; position++)
        operand_at[position] = own_place(position);
    unpaid = 0;
    last = NO_OPERATION;
    while (address != UNREACHED && !is_full) {
        if (source.leader[address] || is_shared) {
            is_shared = is_absorbed(address);
            if (!is_shared) {
                flush();
                if (label[address] == NO_OPERATION) {
                    settle();
                    label[address] = operation_count;
                    last = NO_OPERATION;
                    has_copied = 0;
                } else if (!has_copied && is_short_condition(address)) {
                    has_copied = 1;
                } else {
                    emit(OP_JUMP, 0, 0, (uint32_t)address);
                    return;
                }
            }
        }
        address = translate(address);
    }
    while (height > 0)
        pop();
}

static void resolve_jumps(void)
{
    for (int32_t index = 0; index < operation_count; index++) {
        Operation *operation = &operations[index];
        if (operation->code >= OP_JUMP_EQUAL && operation->code <= OP_JUMP)
            operation->c = (uint32_t)label[operation->c] * (uint32_t)sizeof(Operation);
        else if (operation->code == OP_CALL)
            operation->b = (uint32_t)label[operation->b] * (uint32_t)sizeof(Operation);
    }
}

/* Where translated programs stay. */
static uint64_t room[ROOM_BYTES / 8];
static uint32_t room_used;

void unload_programs(void)
{
    room_used = 0;
}

static void *take_room(uint32_t bytes)
{
    if (bytes > ROOM_BYTES - room_used)
        return 0;
    void *start = (char *)room + room_used;
    room_used += (bytes + 7) / 8 * 8;
    return start;
}

/* A copy of `bytes` bytes in the room; null if they do not fit. */
static const void *store(const void *from, uint32_t bytes)
{
    unsigned char *to = take_room(bytes);
    if (to)
        for (uint32_t index = 0; index < bytes; index++)
            to[index] = ((const unsigned char *)from)[index];
    return to;
}

static const int64_t *store_constants(void)
{
    int32_t count = source.constant_count;
    int64_t *constants = take_room(2 * (uint32_t)count * (uint32_t)sizeof *constants);
    for (int32_t index = 0; constants && index < count; index++) {
        uint32_t low = (uint32_t)source.constants[2 * index], high = (uint32_t)source.constants[2 * index + 1];
        uint64_t word = (uint64_t)high << 32 | low;
        constants[index] = (int64_t)word;
        constants[count + index] = (int64_t)(0 - word);
    }
    return constants;
}

static const uint16_t *store_lines(void)
{
    uint16_t *lines = take_room((uint32_t)source.instruction_count * (uint32_t)sizeof *lines);
    for (int32_t address = 0; lines && address < source.instruction_count; address++)
        lines[address] = (uint16_t)source.instructions[address].line;
    return lines;
}

static LoadStatus keep(Program *program)
{
    uint32_t used_before = room_used;
    *program = (Program){
        .operations = store(operations, (uint32_t)operation_count * (uint32_t)sizeof *operations),
        .origins = store(origins, (uint32_t)operation_count * (uint32_t)sizeof *origins),
        .addresses = store(addresses, (uint32_t)address_count * (uint32_t)sizeof *addresses),
        .lines = store_lines(),
        .operands = store(operands, (uint32_t)operand_count * (uint32_t)sizeof *operands),
        .calls = store(calls, (uint32_t)call_count * (uint32_t)sizeof *calls),
        .constants = store_constants(),
        .constant_count = 2 * (uint32_t)source.constant_count,
        .global_count = (uint32_t)source.global_count,
        .instruction_count = (uint32_t)source.instruction_count,
    };
    if (program->operations && program->origins && program->addresses && program->lines && program->operands &&
        program->calls && program->constants)
        return LOAD_OK;
    room_used = used_before;
    return LOAD_ROOM;
}
