/* Runs the kernel as a native program, so that sanitizers can watch it: commands on standard input, answers on
   standard output. A command is a letter and a length, then so many bytes: `l` loads a program and answers its
   number, `u` unloads, `p` plays jobs and answers how many, then their results. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel.h"

static void answer(const void *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, stdout) != length)
        exit(2);
}

static void answer_results(int32_t count)
{
    const char *next = output();
    for (int32_t index = 0; index < count; index++) {
        const Result *result = (const Result *)(const void *)next;
        answer(next, result->bytes);
        next += result->bytes;
    }
}

int main(void)
{
    int command;
    while ((command = getchar()) != EOF) {
        uint32_t length;
        if (fread(&length, sizeof length, 1, stdin) != 1 || length > INPUT_BYTES)
            return 2;
        if (fread(input(), 1, length, stdin) != length)
            return 2;
        int32_t number = 0;
        if (command == 'l')
            number = load(length);
        else if (command == 'u')
            unload();
        else
            number = play((int32_t)(length / sizeof(Job)));
        answer(&number, sizeof number);
        if (command == 'p')
            answer_results(number);
        fflush(stdout);
    }
    return 0;
}
