import { readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever the processor (man 5 proc_pid_stat, `sysconf(_SC_CLK_TCK)`). */
const ticksPerSecond = 100;

/** Seconds of processor time a process has used since its start, its own and the system's for it. Linux only. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name, which may contain anything. User and system time are the 14th and the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
