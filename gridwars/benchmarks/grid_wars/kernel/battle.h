/* The board, the bombs and the four warriors, and what a battle leaves behind. */
#ifndef BATTLE_H
#define BATTLE_H

#include "machine.h"

enum {
    SEAT_COUNT = 4,
    BOARD_SIZE = 30,
    CELL_COUNT = BOARD_SIZE * BOARD_SIZE,
    SIGHT = 4,
    START_ENERGY = 12,
    MOST_ENERGY = 60,
    TILES_PER_ENERGY = 60,
    FUSE = 5,
    IDLE_LIMIT = 50,
    CURVE_INTERVAL = 25,
    MAX_BOMBS = SEAT_COUNT * FUSE, /* a bomb lives for five ticks, and a warrior plants one a tick */
    MAX_TICKS = 1 << 15,
};

enum { DEATH_NONE, DEATH_BOMB, DEATH_IDLE, DEATH_FAULT };
enum { ENDING_NONE, ENDING_HORIZON, ENDING_LAST_STANDING, ENDING_WIPEOUT };

typedef struct {
    uint16_t cell;
    uint8_t seat;
    uint8_t fuse;
} Bomb;

typedef struct {
    int32_t x, y;
    int32_t is_alive;
    int64_t energy;
    int32_t idle, tiles, peak_tiles, kills, self_kills;
    int32_t illegal, blocked, refused, stalls, ticks_lived;
    int32_t death_tick, death_cause, killed_by; /* -1 where there is none */
    int32_t owned;     /* cells of its colour on the board as it stands */
    int32_t action;    /* of this tick, as the machine chose it */
    int32_t dx, dy;    /* of a legal move; 0 and 0 otherwise */
    int32_t came_from; /* the cell it stood on when the tick began */
    int32_t marks;     /* MARK_... of this tick, for a picture */
} Warrior;

enum { MARK_STALL = 1, MARK_ILLEGAL = 2, MARK_REFUSED = 4, MARK_BLOCKED = 8 };

typedef struct Battle {
    int64_t bomb_cost;
    int32_t ticks;
    int32_t tick;
    int32_t ending;
    Warrior warriors[SEAT_COUNT];
    uint8_t owner[CELL_COUNT];    /* warrior id 1..4, 0 for none */
    uint8_t corpse[CELL_COUNT];   /* 0 or 1 */
    uint8_t occupant[CELL_COUNT]; /* id of the living warrior, 0 for none */
    uint8_t bombed[CELL_COUNT];   /* 1 where a live bomb is */
    Bomb bombs[MAX_BOMBS];        /* the live ones in ascending order of cells */
    int32_t bomb_count;
    uint16_t blasts[MAX_BOMBS]; /* cells of the bombs that went off in this tick */
    int32_t blast_count;
    Machine machines[SEAT_COUNT];
} Battle;

/* `programs` holds null where a script did not compile, `spawn` four different cells. */
void start_battle(Battle *battle, const Program *const programs[SEAT_COUNT], const uint16_t spawn[SEAT_COUNT],
                  uint64_t seed, int32_t ticks, int64_t bomb_cost);

/* Plays one tick; the battle is over once `ending` is set. */
void play_tick(Battle *battle);

/* FNV-1a 64 of the state between two ticks. */
uint64_t compute_digest(const Battle *battle);

#endif
