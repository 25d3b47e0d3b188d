/* Running a warrior's operations within its budget.

   The meter is exact although an operation stands for several instructions. Where the budget ends inside one, the
   operation waits for the next tick if its active instruction is still to come; else it is done now and what was
   not yet paid is taken from the next tick's budget (`carry`, see `Origin` for why nobody can tell). */
#include "battle.h"

#define RANDOM_STATE_FOR_ZERO UINT64_C(0x9e3779b97f4a7c15)

#if defined(__GNUC__)
#define COLD __attribute__((noinline, cold))
#else
#define COLD
#endif

enum {
    FOG = -3,
    CORPSE = -2,
    BOMB = -1,
    MAX_SHIFT = 62,
};

static void set_integer(Value *value, int64_t bits)
{
    value->bits = bits;
    value->kind = KIND_INTEGER;
}

static void set_boolean(Value *value, int truth)
{
    value->bits = truth;
    value->kind = KIND_BOOLEAN;
}

void start_machine(Machine *machine, const Program *program, int32_t seat, uint64_t seed, int64_t bomb_cost)
{
    machine->program = program;
    machine->carry = 0;
    machine->line = 0;
    machine->spent = 0;
    machine->random = seed + (uint64_t)seat;
    if (machine->random == 0)
        machine->random = RANDOM_STATE_FOR_ZERO;
    machine->is_halted = program == 0;
    machine->fault = (Fault){.code = FAULT_NONE};
    machine->open_calls = machine->array_count = machine->element_count = 0;
    machine->next_saved = machine->saved;
    if (machine->is_halted)
        return;
    machine->next = program->operations;
    Value *values = machine->values;
    set_boolean(&values[VALUE_FALSE], 0);
    set_boolean(&values[VALUE_TRUE], 1);
    set_integer(&values[VALUE_ID], seat + 1);
    set_integer(&values[VALUE_BOMBCOST], bomb_cost);
    uint32_t count = FIRST_CONSTANT;
    for (uint32_t index = 0; index < program->constant_count; index++)
        set_integer(&values[count++], program->constants[index]);
    for (uint32_t index = 0; index < program->global_count; index++)
        set_integer(&values[count++], 0);
    for (uint32_t address = 0; address < program->instruction_count; address++)
        machine->array_of[address] = -1;
}

static Value *value_at(Machine *machine, uint32_t offset)
{
    return (Value *)((char *)machine->values + offset);
}

/* Each of these notes a fault and returns 0. Kept out of line: faults are rare, and the loop below is not. */
COLD static int fail(Machine *machine, FaultCode code)
{
    machine->fault = (Fault){.code = code};
    return 0;
}

COLD static int fail_with(Machine *machine, FaultCode code, int64_t number)
{
    machine->fault = (Fault){.code = code, .number_count = 1, .numbers = {number}};
    return 0;
}

COLD static int fail_with_two(Machine *machine, FaultCode code, int64_t first, int64_t second)
{
    machine->fault = (Fault){.code = code, .number_count = 2, .numbers = {first, second}};
    return 0;
}

/* The fault of a builtin of which not all arguments are integers; with `takes_arrays` an array counts as its number,
   and what is left is no fault. */
COLD static int check_arguments(Machine *machine, const Value *first, const Value *second, int takes_arrays)
{
    if (first->kind == KIND_BOOLEAN)
        return fail_with(machine, FAULT_BOOL_ARGUMENT, 1);
    if (second->kind == KIND_BOOLEAN)
        return fail_with(machine, FAULT_BOOL_ARGUMENT, 2);
    return takes_arrays || fail_with(machine, FAULT_INT_ARGUMENT, first->kind == KIND_ARRAY ? 1 : 2);
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Whether the product does not fit; if it fits, stores it. By 32-bit halves, since wider products would need a
   library. */
static int multiply_overflows(int64_t left, int64_t right, int64_t *product)
{
    if (left == (int32_t)left && right == (int32_t)right) {
        *product = left * right;
        return 0;
    }
    uint64_t a = magnitude(left), b = magnitude(right);
    uint64_t a_high = a >> 32, a_low = a & UINT32_MAX, b_high = b >> 32, b_low = b & UINT32_MAX;
    uint64_t middle = a_high * b_low + a_low * b_high; /* one of the two is 0, or the product does not fit */
    uint64_t low = a_low * b_low;
    if ((a_high && b_high) || middle >> 32 || middle << 32 > UINT64_MAX - low)
        return 1;
    uint64_t size = (middle << 32) + low;
    int is_negative = (left < 0) != (right < 0);
    if (size > (uint64_t)INT64_MAX + (uint64_t)is_negative)
        return 1;
    *product = (int64_t)(is_negative ? 0 - size : size);
    return 0;
}

/* These and what follows return 0 after a fault, which they have noted. */
static int divide(Machine *machine, int64_t left, int64_t right, int64_t *quotient)
{
    if (right == 0)
        return fail_with(machine, FAULT_DIV_ZERO, left);
    if (right == -1 && left == INT64_MIN)
        return fail_with_two(machine, FAULT_OVERFLOW, left, right);
    *quotient = left / right;
    return 1;
}

static int take_remainder(Machine *machine, int64_t left, int64_t right, int64_t *remainder)
{
    if (right == 0)
        return fail_with(machine, FAULT_MOD_ZERO, left);
    *remainder = right == -1 ? 0 : left % right;
    return 1;
}

/* The builtins that make one integer of two and ask for nothing else. */
static int compute(Machine *machine, OperationCode code, int64_t left, int64_t right, int64_t *result)
{
    switch (code) {
    case OP_MIN:
        *result = left < right ? left : right;
        return 1;
    case OP_MAX:
        *result = left > right ? left : right;
        return 1;
    case OP_XOR:
        *result = left ^ right;
        return 1;
    case OP_MOD:
        return take_remainder(machine, left, right, result);
    case OP_DIV:
        return divide(machine, left, right, result);
    default:
        if (right < 0 || right > MAX_SHIFT)
            return fail_with(machine, FAULT_SHIFT_RANGE, right);
        if (code == OP_SHL)
            *result = (int64_t)((uint64_t)left << right);
        else
            *result = left >> right; /* arithmetic with every compiler used here */
        return 1;
    }
}

/* The cell at an offset from a warrior, or -1 beyond its sight. */
static int32_t seen_cell(const Battle *battle, int32_t seat, int64_t dx, int64_t dy)
{
    if (dx < -SIGHT || dx > SIGHT || dy < -SIGHT || dy > SIGHT)
        return -1;
    int32_t x = battle->warriors[seat].x + (int32_t)dx, y = battle->warriors[seat].y + (int32_t)dy;
    x += x < 0 ? BOARD_SIZE : x >= BOARD_SIZE ? -BOARD_SIZE : 0;
    y += y < 0 ? BOARD_SIZE : y >= BOARD_SIZE ? -BOARD_SIZE : 0;
    return y * BOARD_SIZE + x;
}

static int64_t check(const Battle *battle, int32_t seat, int64_t dx, int64_t dy)
{
    int32_t cell = seen_cell(battle, seat, dx, dy);
    if (cell < 0)
        return FOG;
    if (battle->bombed[cell])
        return BOMB;
    return battle->corpse[cell] ? CORPSE : battle->owner[cell];
}

static int64_t look_who(const Battle *battle, int32_t seat, int64_t dx, int64_t dy)
{
    int32_t cell = seen_cell(battle, seat, dx, dy);
    return cell < 0 ? FOG : battle->occupant[cell];
}

static uint64_t next_random(uint64_t state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}

static int fill_array(Machine *machine, const uint32_t *items, uint32_t address, uint32_t result)
{
    uint32_t count = *items++, kinds = 0;
    for (uint32_t index = 0; index < count; index++)
        kinds |= value_at(machine, items[index])->kind;
    if (kinds != KIND_INTEGER) {
        uint32_t index = count - 1;
        while (value_at(machine, items[index])->kind == KIND_INTEGER)
            index--;
        return fail_with_two(machine, FAULT_LITERAL_TYPE, index, value_at(machine, items[index])->kind);
    }
    int32_t number = machine->array_of[address];
    if (number < 0) {
        if (machine->element_count + count > MAX_ELEMENTS)
            return fail_with_two(machine, FAULT_ALLOCATION, machine->element_count, count);
        number = (int32_t)machine->array_count++;
        machine->array_of[address] = (int16_t)number;
        machine->arrays[number] = (Array){machine->element_count, count};
        machine->element_count += count;
    }
    int64_t *elements = machine->elements + machine->arrays[number].start;
    for (uint32_t index = 0; index < count; index++)
        elements[index] = value_at(machine, items[index])->bits;
    *value_at(machine, result) = (Value){.bits = number, .kind = KIND_ARRAY};
    return 1;
}

/* The element that an index names, or null. */
static int64_t *find_element(Machine *machine, const Value *array, const Value *index)
{
    const Array *found = &machine->arrays[array->bits];
    if (index->bits < 0 || index->bits >= found->length) {
        fail_with_two(machine, FAULT_INDEX_RANGE, index->bits, found->length);
        return 0;
    }
    return &machine->elements[found->start + index->bits];
}

/* Returns where the copy ends. */
static Value *copy(Value *to, const Value *from, uint32_t count)
{
    for (; count > 0; count--)
        *to++ = *from++;
    return to;
}

/* Opens a call, unless too many are open. */
static int open_call(Machine *machine, const Operation *operation)
{
    const Call *call = &machine->program->calls[operation->a];
    const uint32_t *moves = machine->program->operands + call->moves;
    if (machine->open_calls == MAX_OPEN_CALLS)
        return fail(machine, FAULT_CALL_DEPTH);
    machine->calls[machine->open_calls++] = operation;
    Value *saved = copy(machine->next_saved, value_at(machine, call->locals.offset), call->locals.count);
    machine->next_saved = copy(saved, value_at(machine, call->waiting.offset), call->waiting.count);
    for (uint32_t index = 0; index < call->move_count; index++)
        *value_at(machine, moves[2 * index + 1]) = *value_at(machine, moves[2 * index]);
    for (uint32_t index = 0; index < call->zeroed.count; index++)
        set_integer(value_at(machine, call->zeroed.offset) + index, 0);
    return 1;
}

/* Closes the latest call, which it returns. */
static const Operation *close_call(Machine *machine, Value result)
{
    const Operation *operation = machine->calls[--machine->open_calls];
    const Call *call = &machine->program->calls[operation->a];
    const Value *saved = machine->next_saved -= call->locals.count + call->waiting.count;
    copy(value_at(machine, call->locals.offset), saved, call->locals.count);
    copy(value_at(machine, call->waiting.offset), saved + call->locals.count, call->waiting.count);
    *value_at(machine, operation->c) = result;
    return operation;
}

static FaultCode type_fault(int32_t comparison)
{
    return comparison <= BINARY_NOT_EQUAL ? FAULT_COMPARE_TYPES : FAULT_ORDER_TYPES;
}

#define A value_at(machine, operation->a)
#define B value_at(machine, operation->b)
#define C value_at(machine, operation->c)
#define BOTH_INTEGERS ((A->kind | B->kind) == KIND_INTEGER)

/* Integers; for equality booleans too. */
#define COMPARABLE(code) \
    (BOTH_INTEGERS || ((code) <= BINARY_NOT_EQUAL && A->kind == KIND_BOOLEAN && B->kind == KIND_BOOLEAN))

#define COMPARE(name, operator)                                          \
    case OP_##name:                                                      \
        if (!COMPARABLE(BINARY_##name)) {                                \
            fail_with_two(machine, type_fault(BINARY_##name), A->kind, B->kind); \
            goto faulted;                                                \
        }                                                                \
        set_boolean(C, A->bits operator B->bits);                        \
        break;                                                           \
    case OP_JUMP_##name:                                                 \
        if (!COMPARABLE(BINARY_##name)) {                                \
            fail_with_two(machine, type_fault(BINARY_##name), A->kind, B->kind); \
            goto faulted;                                                \
        }                                                                \
        if (A->bits operator B->bits)                                    \
            JUMP(operation->c);                                          \
        break;

#define JUMP(offset) (next = (const Operation *)((const char *)program->operations + (offset)))

Decision run_machine(Machine *machine, const Battle *battle, int32_t seat)
{
    const Program *program = machine->program;
    const Warrior *warrior = &battle->warriors[seat];
    const Operation *operation, *next = machine->next;
    int32_t budget = BUDGET + machine->carry;
    int64_t before = budget;
    uint32_t stalled_at = 0;
    Decision decision = {ACTION_NONE, 0, 0, 0};

    set_integer(&machine->values[VALUE_X], warrior->x);
    set_integer(&machine->values[VALUE_Y], warrior->y);
    set_integer(&machine->values[VALUE_TILES], warrior->tiles);
    set_integer(&machine->values[VALUE_ENERGY], warrior->energy);
    set_integer(&machine->values[VALUE_TICK], battle->tick);
    machine->carry = 0;

    for (;;) {
        operation = next++;
        budget -= operation->price;
        if (budget < 0) {
            int32_t left = budget + operation->price;
            const Origin *origin = &program->origins[operation - program->operations];
            if (left < 0)
                goto stalled;
            stalled_at = program->addresses[origin->path + (uint32_t)left];
            if ((uint32_t)left < origin->active)
                goto stalled;
            /* Its active instruction is within the budget, so this one is done now; the next one stalls. */
        }
        switch ((OperationCode)operation->code) {
        case OP_NOTHING:
            break;
        case OP_MOVE:
            *C = *A;
            break;
        case OP_ADD: {
            int64_t left = A->bits, right = B->bits;
            int64_t sum = (int64_t)((uint64_t)left + (uint64_t)right);
            if (!BOTH_INTEGERS)
                goto not_arithmetic;
            if (((left ^ sum) & (right ^ sum)) < 0)
                goto overflow;
            set_integer(C, sum);
            break;
        }
        case OP_SUBTRACT: {
            int64_t left = A->bits, right = B->bits;
            int64_t difference = (int64_t)((uint64_t)left - (uint64_t)right);
            if (!BOTH_INTEGERS)
                goto not_arithmetic;
            if (((left ^ right) & (left ^ difference)) < 0)
                goto overflow;
            set_integer(C, difference);
            break;
        }
        case OP_MULTIPLY: {
            int64_t product;
            if (!BOTH_INTEGERS)
                goto not_arithmetic;
            if (multiply_overflows(A->bits, B->bits, &product))
                goto overflow;
            set_integer(C, product);
            break;
        }
        case OP_DIVIDE:
        case OP_MODULO: {
            int64_t result = 0;
            if (!BOTH_INTEGERS)
                goto not_arithmetic;
            if (operation->code == OP_DIVIDE ? !divide(machine, A->bits, B->bits, &result)
                                             : !take_remainder(machine, A->bits, B->bits, &result))
                goto faulted;
            set_integer(C, result);
            break;
        }
        COMPARE(EQUAL, ==)
        COMPARE(NOT_EQUAL, !=)
        COMPARE(LESS, <)
        COMPARE(LESS_EQUAL, <=)
        COMPARE(GREATER, >)
        COMPARE(GREATER_EQUAL, >=)
        case OP_JUMP_FALSE:
        case OP_JUMP_TRUE:
            if (A->kind != KIND_BOOLEAN) {
                fail_with(machine, FAULT_CONDITION_TYPE, A->kind);
                goto faulted;
            }
            if (A->bits == (operation->code == OP_JUMP_TRUE))
                JUMP(operation->c);
            break;
        case OP_JUMP:
            JUMP(operation->c);
            break;
        case OP_NEGATE:
            if (A->kind != KIND_INTEGER) {
                fail_with(machine, FAULT_NEG_TYPE, A->kind);
                goto faulted;
            }
            if (A->bits == INT64_MIN) {
                fail_with(machine, FAULT_OVERFLOW, A->bits);
                goto faulted;
            }
            set_integer(C, operation->b ? A->bits : -A->bits);
            break;
        case OP_NOT:
        case OP_ASSERT_BOOLEAN:
            if (A->kind != KIND_BOOLEAN) {
                fail_with(machine, operation->code == OP_NOT ? FAULT_NOT_TYPE : FAULT_LOGIC_TYPE, A->kind);
                goto faulted;
            }
            set_boolean(C, A->bits != operation->b);
            break;
        case OP_LOAD_ITEM: {
            if (A->kind != KIND_ARRAY) {
                fail_with(machine, FAULT_NOT_AN_ARRAY, A->kind);
                goto faulted;
            }
            if (B->kind != KIND_INTEGER) {
                fail_with(machine, FAULT_INDEX_TYPE, B->kind);
                goto faulted;
            }
            const int64_t *element = find_element(machine, A, B);
            if (!element)
                goto faulted;
            set_integer(C, *element);
            break;
        }
        case OP_STORE_ITEM: {
            if (A->kind != KIND_ARRAY) {
                fail_with(machine, FAULT_NOT_AN_ARRAY, A->kind);
                goto faulted;
            }
            if ((B->kind | C->kind) != KIND_INTEGER) {
                fail_with_two(machine, FAULT_ITEM_TYPE, B->kind, C->kind);
                goto faulted;
            }
            int64_t *element = find_element(machine, A, B);
            if (!element)
                goto faulted;
            *element = C->bits;
            break;
        }
        case OP_ARRAY:
            if (!fill_array(machine, program->operands + operation->a, operation->b, operation->c))
                goto faulted;
            break;
        case OP_CALL:
            if (!open_call(machine, operation))
                goto faulted;
            JUMP(operation->b);
            break;
        case OP_RETURN:
            next = close_call(machine, *A) + 1;
            break;
        case OP_CHECK:
        case OP_WHO:
            if (!BOTH_INTEGERS) {
                check_arguments(machine, A, B, 0);
                goto faulted;
            }
            set_integer(C, operation->code == OP_CHECK ? check(battle, seat, A->bits, B->bits)
                                                       : look_who(battle, seat, A->bits, B->bits));
            break;
        case OP_ALIVE:
        case OP_RAND:
        case OP_ABS: {
            int64_t argument = A->bits;
            if (A->kind == KIND_BOOLEAN) {
                fail_with(machine, FAULT_BOOL_ARGUMENT, 1);
                goto faulted;
            }
            if (operation->code == OP_ALIVE) {
                set_integer(C, argument >= 1 && argument <= SEAT_COUNT && battle->warriors[argument - 1].is_alive);
            } else if (operation->code == OP_RAND) {
                if (argument < 1) {
                    fail_with(machine, FAULT_RAND_RANGE, argument);
                    goto faulted;
                }
                machine->random = next_random(machine->random);
                set_integer(C, (int64_t)(machine->random % (uint64_t)argument));
            } else {
                if (argument == INT64_MIN) {
                    fail_with(machine, FAULT_OVERFLOW, argument);
                    goto faulted;
                }
                set_integer(C, argument < 0 ? -argument : argument);
            }
            break;
        }
        case OP_LEN:
            if (A->kind != KIND_ARRAY) {
                if (A->kind == KIND_BOOLEAN)
                    fail_with(machine, FAULT_BOOL_ARGUMENT, 1);
                else
                    fail(machine, FAULT_LEN_TYPE);
                goto faulted;
            }
            set_integer(C, machine->arrays[A->bits].length);
            break;
        case OP_MIN:
        case OP_MAX:
        case OP_XOR:
        case OP_SHL:
        case OP_SHR:
        case OP_MOD:
        case OP_DIV: {
            int64_t result = 0;
            if (!BOTH_INTEGERS && !check_arguments(machine, A, B, 1))
                goto faulted;
            if (!compute(machine, (OperationCode)operation->code, A->bits, B->bits, &result))
                goto faulted;
            set_integer(C, result);
            break;
        }
        case OP_ACT:
            decision.action = (int32_t)operation->c;
            if (decision.action == ACTION_MOVE) {
                if (!BOTH_INTEGERS) {
                    const Value *bad = A->kind != KIND_INTEGER ? A : B;
                    fail_with_two(machine, FAULT_MOVE_TYPE, bad == A ? 1 : 2, bad->kind);
                    goto faulted;
                }
                decision.dx = A->bits;
                decision.dy = B->bits;
            }
            goto acted;
        case OP_HALT:
            machine->is_halted = 1;
            machine->spent += before - budget;
            return decision;
        case OP_FAULT:
            if (operation->a == FAULT_PROC_ARITY || operation->a == FAULT_BUILTIN_ARITY)
                fail_with_two(machine, (FaultCode)operation->a, operation->b, operation->c);
            else
                fail(machine, (FaultCode)operation->a);
            goto faulted;
        }
    }

acted: {
    const Origin *origin = &program->origins[operation - program->operations];
    machine->line = program->lines[program->addresses[origin->path + origin->active - 1]];
    machine->next = next;
    machine->spent += before - budget;
    return decision;
}

stalled:
    machine->carry = budget + operation->price;
    machine->next = operation;
    machine->line = program->lines[stalled_at];
    machine->spent += before - machine->carry;
    decision.action = ACTION_WAIT;
    decision.is_stalled = 1;
    return decision;

not_arithmetic:
    fail_with_two(machine, FAULT_ARITH_TYPES, A->kind, B->kind);
    goto faulted;

overflow:
    fail_with_two(machine, FAULT_OVERFLOW, A->bits, B->bits);

faulted: {
    const Origin *origin = &program->origins[operation - program->operations];
    machine->fault.address = program->addresses[origin->path + origin->active - 1];
    machine->spent += before - budget;
    decision.action = ACTION_NONE;
    decision.dx = decision.dy = 0;
    return decision;
}
}
