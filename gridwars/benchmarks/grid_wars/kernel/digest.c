/* The digest of a battle's state, in the order that Grid Wars spec section 2 fixes. */
#include "battle.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

#define FNV_PRIME_2 (FNV_PRIME * FNV_PRIME)
#define FNV_PRIME_4 (FNV_PRIME_2 * FNV_PRIME_2)

static uint64_t add_byte(uint64_t digest, uint8_t byte)
{
    return (digest ^ byte) * FNV_PRIME;
}

static uint64_t add_number(uint64_t digest, int64_t number)
{
    uint64_t rest = (uint64_t)number;
    if (rest < 256) /* seven bytes of zero only multiply */
        return (digest ^ rest) * FNV_PRIME_4 * FNV_PRIME_4;
    for (int32_t index = 0; index < 8; index++, rest >>= 8)
        digest = add_byte(digest, rest & 0xff);
    return digest;
}

static uint64_t add_cells(uint64_t digest, const Battle *battle)
{
    for (int32_t cell = 0; cell < CELL_COUNT; cell++) {
        digest ^= battle->owner[cell];
        if (battle->corpse[cell])
            digest = add_byte(digest * FNV_PRIME, battle->corpse[cell]);
        else
            digest *= FNV_PRIME_2;
    }
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
