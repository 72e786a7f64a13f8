#pragma once

// What the glutton can be told to take; each returns when it could take no more, with what it got.

#include <stddef.h>

struct appetite {
  const char *name;
  void (*eat)(char *outcome, size_t size);
};

void eat_memory(char *outcome, size_t size);
void eat_memory_slowly(char *outcome, size_t size);
void eat_shared_memory(char *outcome, size_t size);
void eat_page_tables(char *outcome, size_t size);
void eat_address_space(char *outcome, size_t size);
void eat_half_ended(char *outcome, size_t size);
void eat_stack(char *outcome, size_t size);

void eat_threads(char *outcome, size_t size);
void eat_descriptors(char *outcome, size_t size);
void eat_processors(char *outcome, size_t size);
void eat_itself(char *outcome, size_t size);

void eat_one_file(char *outcome, size_t size);
void eat_one_sparse_file(char *outcome, size_t size);
void eat_bytes(char *outcome, size_t size);
void eat_bytes_quietly(char *outcome, size_t size);
void eat_unlinked(char *outcome, size_t size);
void eat_mapped(char *outcome, size_t size);
void eat_closed(char *outcome, size_t size);
void eat_sparse_bytes(char *outcome, size_t size);
void eat_files(char *outcome, size_t size);
void eat_a_maze(char *outcome, size_t size);
