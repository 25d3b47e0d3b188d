/* The law of the arena: the eleven steps of a tick, one function each, as in `tick.py`. */
#include "battle.h"

static void decide(Battle *battle);
static void plant_bombs(Battle *battle);
static void place_tiles(Battle *battle);
static void move(Battle *battle);
static void burn_fuses(Battle *battle);
static void detonate(Battle *battle);
static void kill_idle(Battle *battle);
static void kill_faulted(Battle *battle);
static void keep_books(Battle *battle);
static void end_round(Battle *battle);

void play_tick(Battle *battle)
{
    /* Step 1, the priority, is `seat_in_order`. */
    decide(battle);
    plant_bombs(battle);
    place_tiles(battle);
    move(battle);
    burn_fuses(battle);
    detonate(battle);
    kill_idle(battle);
    kill_faulted(battle);
    keep_books(battle);
    end_round(battle);
    battle->tick++;
}

void start_battle(Battle *battle, const Program *const programs[SEAT_COUNT], const uint16_t spawn[SEAT_COUNT],
                  uint64_t seed, int32_t ticks, int64_t bomb_cost)
{
    battle->bomb_cost = bomb_cost;
    battle->ticks = ticks;
    battle->tick = 0;
    battle->ending = ENDING_NONE;
    battle->bomb_count = 0;
    battle->blast_count = 0;
    for (int32_t cell = 0; cell < CELL_COUNT; cell++)
        battle->owner[cell] = battle->corpse[cell] = battle->occupant[cell] = battle->bombed[cell] = 0;
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        battle->warriors[seat] = (Warrior){
            .x = spawn[seat] % BOARD_SIZE,
            .y = spawn[seat] / BOARD_SIZE,
            .is_alive = 1,
            .energy = START_ENERGY,
            .death_tick = -1,
            .killed_by = -1,
        };
        battle->occupant[spawn[seat]] = (uint8_t)(seat + 1);
        start_machine(&battle->machines[seat], programs[seat], seat, seed, bomb_cost);
    }
}

static Warrior *seat_in_order(Battle *battle, int32_t place)
{
    return &battle->warriors[(battle->tick + place) % SEAT_COUNT];
}

static uint8_t id_of(const Battle *battle, const Warrior *warrior)
{
    return (uint8_t)(warrior - battle->warriors + 1);
}

static int32_t cell_of(const Warrior *warrior)
{
    return warrior->y * BOARD_SIZE + warrior->x;
}

/* A coordinate at most one board away from the board. */
static int32_t wrap(int32_t coordinate)
{
    return coordinate < 0 ? coordinate + BOARD_SIZE : coordinate >= BOARD_SIZE ? coordinate - BOARD_SIZE : coordinate;
}

static int is_neighbour(int64_t dx, int64_t dy)
{
    return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx != 0 || dy != 0);
}

static void decide(Battle *battle)
{
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        Warrior *warrior = &battle->warriors[seat];
        Machine *machine = &battle->machines[seat];
        warrior->action = ACTION_NONE;
        warrior->marks = 0;
        warrior->dx = warrior->dy = 0;
        warrior->came_from = cell_of(warrior);
        if (!warrior->is_alive || machine->is_halted)
            continue;
        Decision decision = run_machine(machine, battle, seat);
        warrior->action = decision.action;
        if (decision.is_stalled) {
            warrior->stalls++;
            warrior->marks |= MARK_STALL;
        }
        if (decision.action != ACTION_MOVE)
            continue;
        if (is_neighbour(decision.dx, decision.dy)) {
            warrior->dx = (int32_t)decision.dx;
            warrior->dy = (int32_t)decision.dy;
        } else {
            warrior->illegal++;
            warrior->marks |= MARK_ILLEGAL;
        }
    }
}

static void add_bomb(Battle *battle, int32_t cell, uint8_t seat)
{
    int32_t index = battle->bomb_count++;
    for (; index > 0 && battle->bombs[index - 1].cell > cell; index--)
        battle->bombs[index] = battle->bombs[index - 1];
    battle->bombs[index] = (Bomb){(uint16_t)cell, seat, FUSE};
    battle->bombed[cell] = 1;
}

static void plant_bombs(Battle *battle)
{
    for (int32_t place = 0; place < SEAT_COUNT; place++) {
        Warrior *warrior = seat_in_order(battle, place);
        if (warrior->action != ACTION_BOMB)
            continue;
        if (warrior->energy < battle->bomb_cost || battle->bombed[cell_of(warrior)]) {
            warrior->refused++;
            warrior->marks |= MARK_REFUSED;
        } else {
            warrior->energy -= battle->bomb_cost;
            add_bomb(battle, cell_of(warrior), (uint8_t)(id_of(battle, warrior) - 1));
        }
    }
}

static void set_owner(Battle *battle, int32_t cell, uint8_t id)
{
    uint8_t before = battle->owner[cell];
    if (before)
        battle->warriors[before - 1].owned--;
    if (id)
        battle->warriors[id - 1].owned++;
    battle->owner[cell] = id;
}

static void place_tiles(Battle *battle)
{
    for (int32_t place = 0; place < SEAT_COUNT; place++) {
        Warrior *warrior = seat_in_order(battle, place);
        if (warrior->action == ACTION_PLACE)
            set_owner(battle, cell_of(warrior), id_of(battle, warrior));
    }
}

static void move(Battle *battle)
{
    for (int32_t place = 0; place < SEAT_COUNT; place++) {
        Warrior *warrior = seat_in_order(battle, place);
        if (warrior->dx == 0 && warrior->dy == 0)
            continue;
        int32_t x = wrap(warrior->x + warrior->dx), y = wrap(warrior->y + warrior->dy);
        int32_t target = y * BOARD_SIZE + x;
        if (battle->bombed[target] || battle->corpse[target] || battle->occupant[target]) {
            warrior->blocked++;
            warrior->marks |= MARK_BLOCKED;
            continue;
        }
        battle->occupant[cell_of(warrior)] = 0;
        battle->occupant[target] = id_of(battle, warrior);
        warrior->x = x;
        warrior->y = y;
    }
}

static void burn_fuses(Battle *battle)
{
    for (int32_t index = 0; index < battle->bomb_count; index++)
        battle->bombs[index].fuse--;
}

/* The plus of five cells that a bomb scorches. */
static void list_blast(int32_t cell, int32_t blast[5])
{
    int32_t x = cell % BOARD_SIZE, y = cell / BOARD_SIZE;
    blast[0] = cell;
    blast[1] = wrap(y - 1) * BOARD_SIZE + x;
    blast[2] = y * BOARD_SIZE + wrap(x - 1);
    blast[3] = y * BOARD_SIZE + wrap(x + 1);
    blast[4] = wrap(y + 1) * BOARD_SIZE + x;
}

static int is_covered(int32_t cell, int32_t bomb_cell)
{
    int32_t blast[5];
    list_blast(bomb_cell, blast);
    for (int32_t index = 0; index < 5; index++)
        if (blast[index] == cell)
            return 1;
    return 0;
}

static void eliminate(Battle *battle, Warrior *warrior, int32_t cause)
{
    warrior->is_alive = 0;
    warrior->death_tick = battle->tick;
    warrior->death_cause = cause;
    battle->occupant[cell_of(warrior)] = 0;
    battle->corpse[cell_of(warrior)] = 1;
}

/* Sets the fuse of every bomb that goes off in this tick to 0. */
static void spread_wave(Battle *battle)
{
    int has_spread = 1;
    while (has_spread) {
        has_spread = 0;
        for (int32_t from = 0; from < battle->bomb_count; from++) {
            if (battle->bombs[from].fuse != 0)
                continue;
            for (int32_t to = 0; to < battle->bomb_count; to++) {
                if (battle->bombs[to].fuse != 0 && is_covered(battle->bombs[to].cell, battle->bombs[from].cell)) {
                    battle->bombs[to].fuse = 0;
                    has_spread = 1;
                }
            }
        }
    }
}

static void kill_in_blast(Battle *battle, Warrior *warrior)
{
    for (int32_t index = 0; index < battle->bomb_count; index++) {
        const Bomb *bomb = &battle->bombs[index];
        if (bomb->fuse != 0 || !is_covered(cell_of(warrior), bomb->cell))
            continue;
        Warrior *killer = &battle->warriors[bomb->seat];
        warrior->killed_by = bomb->seat;
        if (killer == warrior)
            warrior->self_kills++;
        else
            killer->kills++;
        eliminate(battle, warrior, DEATH_BOMB);
        return;
    }
}

static void detonate(Battle *battle)
{
    battle->blast_count = 0;
    int is_due = 0;
    for (int32_t index = 0; index < battle->bomb_count; index++)
        is_due |= battle->bombs[index].fuse == 0;
    if (!is_due)
        return;
    spread_wave(battle);
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        if (battle->warriors[seat].is_alive)
            kill_in_blast(battle, &battle->warriors[seat]);
    int32_t left = 0;
    for (int32_t index = 0; index < battle->bomb_count; index++) {
        Bomb bomb = battle->bombs[index];
        if (bomb.fuse != 0) {
            battle->bombs[left++] = bomb;
            continue;
        }
        int32_t blast[5];
        list_blast(bomb.cell, blast);
        for (int32_t part = 0; part < 5; part++)
            set_owner(battle, blast[part], 0);
        battle->bombed[bomb.cell] = 0;
        battle->blasts[battle->blast_count++] = bomb.cell;
    }
    battle->bomb_count = left;
}

static void kill_idle(Battle *battle)
{
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        Warrior *warrior = &battle->warriors[seat];
        if (!warrior->is_alive)
            continue;
        warrior->idle = cell_of(warrior) == warrior->came_from ? warrior->idle + 1 : 0;
        if (warrior->idle >= IDLE_LIMIT)
            eliminate(battle, warrior, DEATH_IDLE);
    }
}

static void kill_faulted(Battle *battle)
{
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        if (battle->warriors[seat].is_alive && battle->machines[seat].fault.code != FAULT_NONE)
            eliminate(battle, &battle->warriors[seat], DEATH_FAULT);
}

static void keep_books(Battle *battle)
{
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        Warrior *warrior = &battle->warriors[seat];
        if (warrior->death_tick == battle->tick)
            for (int32_t cell = 0; warrior->owned > 0; cell++)
                if (battle->owner[cell] == seat + 1)
                    set_owner(battle, cell, 0);
        warrior->tiles = warrior->owned;
        if (warrior->tiles > warrior->peak_tiles)
            warrior->peak_tiles = warrior->tiles;
        if (warrior->is_alive) {
            warrior->ticks_lived++;
            warrior->energy += 1 + warrior->tiles / TILES_PER_ENERGY;
            if (warrior->energy > MOST_ENERGY)
                warrior->energy = MOST_ENERGY;
        }
    }
}

static void end_round(Battle *battle)
{
    int32_t living_count = 0;
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        living_count += battle->warriors[seat].is_alive;
    if (battle->tick + 1 == battle->ticks)
        battle->ending = ENDING_HORIZON;
    else if (living_count == 1)
        battle->ending = ENDING_LAST_STANDING;
    else if (living_count == 0)
        battle->ending = ENDING_WIPEOUT;
}
