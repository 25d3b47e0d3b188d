/* The kernel's face: buffers, the loaded programs, and jobs played into results. */
#include "kernel.h"

_Static_assert(sizeof(Value) == VALUE_BYTES, "offsets of values are computed from this");
_Static_assert(sizeof(Job) == 48, "callers write jobs of this size");
_Static_assert(sizeof(SeatResult) == 128, "callers read seats of this size");
_Static_assert(sizeof(Result) == 1440, "callers read results of this size");
_Static_assert(sizeof(Picture) == 90, "callers read pictures of this size");

static uint64_t input_buffer[INPUT_BYTES / 8], output_buffer[OUTPUT_BYTES / 8];
static Program programs[MAX_LOADED];
static int32_t program_count;
static Battle battle;

int32_t version(void)
{
    return KERNEL_VERSION;
}

void *input(void)
{
    return input_buffer;
}

void *output(void)
{
    return output_buffer;
}

int32_t load(uint32_t length)
{
    if (program_count == MAX_LOADED)
        return -1 - LOAD_ROOM;
    if (length > INPUT_BYTES)
        return -1 - LOAD_LENGTH;
    LoadStatus status = load_program((const int32_t *)(const void *)input_buffer, length, &programs[program_count]);
    return status == LOAD_OK ? program_count++ : -1 - (int32_t)status;
}

void unload(void)
{
    program_count = 0;
    unload_programs();
}

static int is_job_valid(const Job *job)
{
    if (job->ticks < 1 || job->ticks > MAX_TICKS || job->bomb_cost < 0)
        return 0;
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        if (job->spawn[seat] >= CELL_COUNT || job->programs[seat] < NO_PROGRAM ||
            job->programs[seat] >= program_count)
            return 0;
        for (int32_t other = 0; other < seat; other++)
            if (job->spawn[seat] == job->spawn[other])
                return 0;
    }
    return 1;
}

static uint32_t most_samples(const Job *job)
{
    return (uint32_t)(job->ticks - 1) / CURVE_INTERVAL + 2;
}

static uint32_t result_bytes(const Job *job)
{
    uint32_t ticks = (uint32_t)job->ticks;
    uint32_t bytes = (uint32_t)sizeof(Result) + most_samples(job) * SEAT_COUNT * (uint32_t)sizeof(uint16_t);
    if (job->wants & WANT_TICK_DIGESTS)
        bytes += ticks * (uint32_t)sizeof(uint32_t);
    if (job->wants & WANT_PICTURES)
        bytes += ticks * (uint32_t)sizeof(Picture);
    return (bytes + 7) / 8 * 8;
}

static SeatResult describe_seat(const Warrior *warrior, const Machine *machine)
{
    return (SeatResult){
        .energy = warrior->energy,
        .random = machine->random,
        .spent = machine->spent,
        .fault_numbers = {machine->fault.numbers[0], machine->fault.numbers[1]},
        .fault_code = (int32_t)machine->fault.code,
        .fault_address = (int32_t)machine->fault.address,
        .fault_number_count = (int32_t)machine->fault.number_count,
        .x = warrior->x,
        .y = warrior->y,
        .is_alive = warrior->is_alive,
        .idle = warrior->idle,
        .tiles = warrior->tiles,
        .peak_tiles = warrior->peak_tiles,
        .kills = warrior->kills,
        .self_kills = warrior->self_kills,
        .illegal = warrior->illegal,
        .blocked = warrior->blocked,
        .refused = warrior->refused,
        .stalls = warrior->stalls,
        .ticks_lived = warrior->ticks_lived,
        .death_tick = warrior->death_tick,
        .death_cause = warrior->death_cause,
        .line = (int32_t)machine->line,
        .action = warrior->action,
        .is_halted = machine->is_halted,
    };
}

static void draw_board(char board[CELL_COUNT])
{
    for (int32_t cell = 0; cell < CELL_COUNT; cell++) {
        if (battle.bombed[cell])
            board[cell] = '*';
        else if (battle.corpse[cell])
            board[cell] = 'x';
        else
            board[cell] = battle.owner[cell] ? (char)('0' + battle.owner[cell]) : '.';
    }
}

/* Adds a sample for every seat; where the next one goes. */
static uint16_t *sample_curves(uint16_t *samples)
{
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        *samples++ = (uint16_t)battle.warriors[seat].tiles;
    return samples;
}

static void play_job(const Job *job, Result *result)
{
    const Program *seats[SEAT_COUNT];
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        seats[seat] = job->programs[seat] == NO_PROGRAM ? 0 : &programs[job->programs[seat]];
    start_battle(&battle, seats, job->spawn, job->seed, job->ticks, job->bomb_cost);

    uint16_t *samples = (uint16_t *)(result + 1), *next_sample = samples;
    uint32_t *digests = (uint32_t *)(void *)(samples + most_samples(job) * SEAT_COUNT);
    int takes_digests = (job->wants & WANT_TICK_DIGESTS) != 0, takes_pictures = (job->wants & WANT_PICTURES) != 0;
    Picture *pictures = (Picture *)(void *)(digests + (takes_digests ? job->ticks : 0));
    while (battle.ending == ENDING_NONE) {
        play_tick(&battle);
        int32_t tick = battle.tick - 1;
        if (tick % CURVE_INTERVAL == 0)
            next_sample = sample_curves(next_sample);
        if (takes_digests)
            digests[tick] = (uint32_t)(compute_digest(&battle) >> 32);
        if (takes_pictures)
            pictures[tick] = take_picture(&battle);
    }
    next_sample = sample_curves(next_sample);
    result->bytes = result_bytes(job);
    result->ticks_played = battle.tick;
    result->ending = battle.ending;
    result->sample_count = (uint32_t)(next_sample - samples) / SEAT_COUNT;
    result->digest = compute_digest(&battle);
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++)
        result->seats[seat] = describe_seat(&battle.warriors[seat], &battle.machines[seat]);
    draw_board(result->board);
}

int32_t play(int32_t count)
{
    const Job *jobs = (const Job *)input_buffer;
    uint32_t used = 0;
    if (count < 0 || (uint32_t)count > INPUT_BYTES / sizeof(Job))
        return -1;
    for (int32_t index = 0; index < count; index++)
        if (!is_job_valid(&jobs[index]))
            return -1 - index;
    int32_t index = 0;
    for (; index < count && result_bytes(&jobs[index]) <= OUTPUT_BYTES - used; index++) {
        Result *result = (Result *)((char *)output_buffer + used);
        play_job(&jobs[index], result);
        used += result->bytes;
    }
    return index;
}
