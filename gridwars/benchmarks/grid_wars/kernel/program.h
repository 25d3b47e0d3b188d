/* A compiled GWL program: as it comes in, as bytes, and as the machine runs it, as operations on registers.

   The bytes are little-endian 32-bit words: a header of `HEADER_WORDS`, then per instruction `op a b line`, per
   constant its low and high word, per proc `entry arity locals`. The numbers of instructions, operands and
   builtins are those of `gwl/program.py` and `gwl/builtins.py`. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>

enum {
    PROGRAM_MAGIC = 0x504c5747, /* "GWLP" */
    PROGRAM_VERSION = 1,
    HEADER_WORDS = 8, /* magic, version, counts of instructions, constants, names, globals, procs, and a 0 */
    INSTRUCTION_WORDS = 4,
    CONSTANT_WORDS = 2,
    PROC_WORDS = 3,
};

/* No source within the size limits of GWL comes near these. */
enum {
    MAX_INSTRUCTIONS = 8192,
    MAX_CONSTANTS = 4096,
    MAX_NAMES = 8192,
    MAX_GLOBALS = 4096,
    MAX_PROCS = 32,
    MAX_VALUES = 8192,
    MAX_LOCALS = 2048, /* of one proc */
    MAX_SAVED = 2048,  /* values that one call keeps */
    MAX_OPERATIONS = 4 * MAX_INSTRUCTIONS,
    MAX_ADDRESSES = 16 * MAX_INSTRUCTIONS,
    MAX_OPERANDS = 4 * MAX_INSTRUCTIONS,
    MAX_LINE = 0x7fff,
    VALUE_BYTES = 16,
    TOP_LEVEL = MAX_PROCS, /* stands where a proc's index would */
};

typedef enum {
    INSTRUCTION_PUSH,
    INSTRUCTION_LOAD,
    INSTRUCTION_STORE,
    INSTRUCTION_INDEX,
    INSTRUCTION_BINARY,
    INSTRUCTION_UNARY,
    INSTRUCTION_CALL,
    INSTRUCTION_JUMP,
    INSTRUCTION_JUMP_FALSE,
    INSTRUCTION_ENTER,
    INSTRUCTION_RETURN,
    INSTRUCTION_LEAVE,
    INSTRUCTION_ACTION,
    INSTRUCTION_HALT,
} InstructionOp;

enum { SCOPE_GLOBAL, SCOPE_LOCAL, SCOPE_UNDEFINED };
enum { INDEX_READ, INDEX_WRITE };
enum { UNARY_NEGATE, UNARY_NOT, UNARY_ASSERT_BOOLEAN, UNARY_COUNT };
enum { ACTION_NONE, ACTION_MOVE, ACTION_PLACE, ACTION_BOMB, ACTION_WAIT };

enum {
    BINARY_ADD,
    BINARY_SUBTRACT,
    BINARY_MULTIPLY,
    BINARY_DIVIDE,
    BINARY_MODULO,
    BINARY_EQUAL,
    BINARY_NOT_EQUAL,
    BINARY_LESS,
    BINARY_LESS_EQUAL,
    BINARY_GREATER,
    BINARY_GREATER_EQUAL,
    BINARY_COUNT,
};

enum {
    BUILTIN_CHECK,
    BUILTIN_WHO,
    BUILTIN_X,
    BUILTIN_Y,
    BUILTIN_TILES,
    BUILTIN_ENERGY,
    BUILTIN_TICK,
    BUILTIN_ALIVE,
    BUILTIN_RAND,
    BUILTIN_ABS,
    BUILTIN_MIN,
    BUILTIN_MAX,
    BUILTIN_LEN,
    BUILTIN_XOR,
    BUILTIN_SHL,
    BUILTIN_SHR,
    BUILTIN_MOD,
    BUILTIN_DIV,
    BUILTIN_ID,
    BUILTIN_BOMBCOST,
    BUILTIN_COUNT,
    ARRAY_LITERAL = BUILTIN_COUNT,
    FIRST_PROC = 100,
};

/* Fault codes in the order of `gwl.errors.FaultCode`, from 1. */
typedef enum {
    FAULT_NONE,
    FAULT_UNDEFINED_VARIABLE,
    FAULT_UNDEFINED_PROC,
    FAULT_PROC_ARITY,
    FAULT_BUILTIN_ARITY,
    FAULT_CALL_DEPTH,
    FAULT_ALLOCATION,
    FAULT_NOT_AN_ARRAY,
    FAULT_INDEX_TYPE,
    FAULT_ITEM_TYPE,
    FAULT_INDEX_RANGE,
    FAULT_LITERAL_TYPE,
    FAULT_COMPARE_TYPES,
    FAULT_ORDER_TYPES,
    FAULT_ARITH_TYPES,
    FAULT_DIV_ZERO,
    FAULT_MOD_ZERO,
    FAULT_OVERFLOW,
    FAULT_NEG_TYPE,
    FAULT_NOT_TYPE,
    FAULT_LOGIC_TYPE,
    FAULT_CONDITION_TYPE,
    FAULT_BOOL_ARGUMENT,
    FAULT_INT_ARGUMENT,
    FAULT_RAND_RANGE,
    FAULT_LEN_TYPE,
    FAULT_SHIFT_RANGE,
    FAULT_MOVE_TYPE,
} FaultCode;

/* What the machine does in one go. Operands `a`, `b` and `c` are byte offsets into a machine's values unless said
   otherwise; results go to `c`. */
typedef enum {
    OP_NOTHING, /* only costs */
    OP_MOVE,    /* c = a */
    OP_ADD,     /* the binary ones in the order of their instruction: c = a op b */
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_JUMP_EQUAL, /* the same order; c: operation to go on at if a op b */
    OP_JUMP_NOT_EQUAL,
    OP_JUMP_LESS,
    OP_JUMP_LESS_EQUAL,
    OP_JUMP_GREATER,
    OP_JUMP_GREATER_EQUAL,
    OP_JUMP_FALSE, /* a: condition, c: operation */
    OP_JUMP_TRUE,
    OP_JUMP, /* c: operation */
    OP_NEGATE, /* b is 1 if it stands for an even number of negations, else 0 */
    OP_NOT,    /* b is 0 if it stands for an even number of them, else 1 */
    OP_ASSERT_BOOLEAN,
    OP_LOAD_ITEM,  /* c = a[b] */
    OP_STORE_ITEM, /* a[b] = c */
    OP_ARRAY,      /* a: index into `operands` of a count and so many offsets, b: address of the literal */
    OP_CALL,       /* a: index into `calls`, b: operation to go on at, c: where the result goes */
    OP_RETURN,     /* a: the result */
    OP_CHECK,
    OP_WHO,
    OP_ALIVE,
    OP_RAND,
    OP_ABS,
    OP_MIN,
    OP_MAX,
    OP_LEN,
    OP_XOR,
    OP_SHL,
    OP_SHR,
    OP_MOD,
    OP_DIV,
    OP_ACT, /* c: the action; for a move a and b hold the offset */
    OP_HALT,
    OP_FAULT, /* a: the code, b and c: its numbers where it has two */
} OperationCode;

typedef struct {
    uint16_t code;  /* an OperationCode */
    uint16_t price; /* how many instructions it stands for */
    uint32_t a, b, c;
} Operation;

/* Which instructions an operation stands for: the addresses from `path` on, in the order they would run. All but
   one of them only load, store or jump and are seen by nobody outside the machine; that one, the `active`th
   (counting from 1), may fault, read a sensor or act. */
typedef struct {
    uint32_t path;
    uint32_t active;
} Origin;

/* Values side by side: the offset of the first, and how many. */
typedef struct {
    uint32_t offset, count;
} Span;

/* Every proc has one place for its locals and its operands. A call that may lead back into the calling proc therefore
   saves what the caller still needs of them. */
typedef struct {
    Span locals, waiting; /* to be saved, `waiting` of the operands */
    uint32_t moves;       /* index into `operands` of `move_count` pairs, from and to: the arguments */
    uint32_t move_count;
    Span zeroed; /* of the called proc's locals */
} Call;

/* The first values of every machine. */
enum {
    VALUE_FALSE,
    VALUE_TRUE,
    VALUE_ID,
    VALUE_BOMBCOST,
    VALUE_X,
    VALUE_Y,
    VALUE_TILES,
    VALUE_ENERGY,
    VALUE_TICK,
    FIRST_CONSTANT,
};

/* A translated program. Values are laid out so: the ones above, constants (each, then each negated), globals, the
   operand stack of the top level, then per proc its locals and its operand stack. */
typedef struct {
    const Operation *operations;
    const Origin *origins;
    const uint16_t *addresses;
    const uint16_t *lines; /* by address */
    const uint32_t *operands;
    const Call *calls;
    const int64_t *constants;
    uint32_t constant_count;
    uint32_t global_count;
    uint32_t instruction_count;
} Program;

/* Why bytes are no program. */
typedef enum {
    LOAD_OK,
    LOAD_LENGTH,      /* not the length that the header says */
    LOAD_HEADER,      /* another magic or version, or a count out of range */
    LOAD_INSTRUCTION, /* an unknown instruction, or an operand or line out of range */
    LOAD_PROC,        /* a proc that does not begin with an ENTER of its own */
    LOAD_FLOW,        /* code that runs off its end, into a proc, or from one proc into another */
    LOAD_STACK,       /* an operand stack that depends on the way taken, or takes what is not there */
    LOAD_SIZE,        /* more values or operations than fit */
    LOAD_ROOM,        /* no room left beside the programs already loaded */
} LoadStatus;

/* Reads `length` bytes at `words` into `program`, which then lives until `unload_programs`. Linear in time,
   whatever the bytes. */
LoadStatus load_program(const int32_t *words, uint32_t length, Program *program);

void unload_programs(void);

#endif
