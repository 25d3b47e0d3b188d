/* The digest of a battle's state, in the order that Grid Wars spec section 2 fixes. */
#include "battle.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* A byte of zero only multiplies, so a run of them is one multiplication. */
#define FNV_PRIME_2 (FNV_PRIME * FNV_PRIME)
#define FNV_PRIME_8 (FNV_PRIME_2 * FNV_PRIME_2 * FNV_PRIME_2 * FNV_PRIME_2)
#define FNV_PRIME_16 (FNV_PRIME_8 * FNV_PRIME_8)

static uint64_t add_byte(uint64_t digest, uint8_t byte)
{
    return (digest ^ byte) * FNV_PRIME;
}

static uint64_t add_number(uint64_t digest, int64_t number)
{
    uint64_t rest = (uint64_t)number;
    if (rest < 256)
        return (digest ^ rest) * FNV_PRIME_8;
    for (int32_t index = 0; index < 8; index++, rest >>= 8)
        digest = add_byte(digest, rest & 0xff);
    return digest;
}

/* Eight bytes as one word, the first lowest. */
static uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t add_cell(uint64_t digest, uint8_t owner, uint8_t corpse)
{
    return add_byte(add_byte(digest, owner), corpse);
}

static uint64_t add_cells(uint64_t digest, const Battle *battle)
{
    int32_t cell = 0;
    for (; cell + 8 <= CELL_COUNT; cell += 8) {
        uint64_t owners = load_word(battle->owner + cell), corpses = load_word(battle->corpse + cell);
        if ((owners | corpses) == 0) {
            digest *= FNV_PRIME_16;
        } else if (corpses == 0) {
            for (int32_t index = 0; index < 8; index++, owners >>= 8)
                digest = (digest ^ (owners & 0xff)) * FNV_PRIME_2;
        } else {
            for (int32_t index = cell; index < cell + 8; index++)
                digest = add_cell(digest, battle->owner[index], battle->corpse[index]);
        }
    }
    for (; cell < CELL_COUNT; cell++)
        digest = add_cell(digest, battle->owner[cell], battle->corpse[cell]);
    return digest;
}

uint64_t compute_digest(const Battle *battle)
{
    uint64_t digest = add_cells(FNV_OFFSET, battle);
    for (int32_t index = 0; index < battle->bomb_count; index++) {
        const Bomb *bomb = &battle->bombs[index];
        digest = add_number(digest, bomb->cell % BOARD_SIZE);
        digest = add_number(digest, bomb->cell / BOARD_SIZE);
        digest = add_number(digest, bomb->fuse);
        digest = add_number(digest, bomb->seat);
    }
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        const Warrior *warrior = &battle->warriors[seat];
        digest = add_byte(digest, (uint8_t)warrior->is_alive);
        digest = add_number(digest, warrior->x);
        digest = add_number(digest, warrior->y);
        digest = add_number(digest, warrior->energy);
        digest = add_number(digest, warrior->idle);
        digest = add_number(digest, warrior->tiles);
        digest = add_number(digest, warrior->kills);
        digest = add_number(digest, warrior->self_kills);
    }
    return digest;
}
