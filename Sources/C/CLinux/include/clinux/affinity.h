#pragma once

/// The number of CPUs that this process may run on.
int clinux_cpu_count(void);
/// The number of the CPU at `index` among those that the process started with, or -1 when there is none.
int clinux_cpu_at(int index);
/// Lets every thread of this process, and what they start from now on, run on one CPU; -1 gives back all the CPUs that
/// the process started with. Returns 0 or a positive errno.
int clinux_pin_process(int cpu);
