/* One tick as data for a viewer: from these records, in order, the whole board of any tick follows. */
#ifndef PICTURE_H
#define PICTURE_H

#include "battle.h"

enum { NO_SEAT = 7 };

typedef struct {
    uint16_t cell;
    uint16_t line;
    uint16_t tiles;
    uint8_t energy;
    uint8_t idle;
    uint8_t kills;
    uint8_t action; /* the action, and from bit 3 on the MARK_... */
    uint8_t death;  /* the cause, and from bit 2 on the killer's seat or NO_SEAT */
    uint8_t unused;
} SeatPicture;

/* What is not here follows: a place paints the warrior's cell, a bomb that was not refused lies on it, a bomb that
   went off scorches its plus, and who died lies on its cell and loses its paint. */
typedef struct {
    SeatPicture seats[SEAT_COUNT];
    uint16_t blast_count;
    uint16_t blasts[MAX_BOMBS]; /* cells of the bombs that went off, ascending */
} Picture;

Picture take_picture(const Battle *battle);

#endif
