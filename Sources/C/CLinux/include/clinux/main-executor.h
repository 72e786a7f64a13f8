#pragma once

/// Makes a serial executor, given by its two words, the executor of Swift's main actor. Before the first use of the main
/// actor, as the runtime remembers executors by these words.
void clinux_set_main_executor(const void *identity, const void *implementation);
