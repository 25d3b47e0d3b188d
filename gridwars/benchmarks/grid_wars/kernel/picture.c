/* Writing down what a tick has done. */
#include "picture.h"

Picture take_picture(const Battle *battle)
{
    Picture picture = {.blast_count = (uint16_t)battle->blast_count};
    for (int32_t seat = 0; seat < SEAT_COUNT; seat++) {
        const Warrior *warrior = &battle->warriors[seat];
        uint32_t killer = warrior->killed_by < 0 ? NO_SEAT : (uint32_t)warrior->killed_by;
        picture.seats[seat] = (SeatPicture){
            .cell = (uint16_t)(warrior->y * BOARD_SIZE + warrior->x),
            .line = (uint16_t)battle->machines[seat].line,
            .tiles = (uint16_t)warrior->tiles,
            .energy = (uint8_t)warrior->energy,
            .idle = (uint8_t)warrior->idle,
            .kills = (uint8_t)warrior->kills,
            .action = (uint8_t)(warrior->action | warrior->marks << 3),
            .death = (uint8_t)((uint32_t)warrior->death_cause | killer << 2),
        };
    }
    for (int32_t index = 0; index < battle->blast_count; index++)
        picture.blasts[index] = battle->blasts[index];
    return picture;
}
