type Task = () => Promise<unknown>;

const tasks: Task[] = [];

/**
 * Calls the task when the tests of this file and its own hooks are done, the last one first. It may be called in hooks and tests, where Vitest
 * never runs an `afterAll`: connections would stay open until the server has none left.
 */
export function afterFile(task: Task): void {
  tasks.push(task);
}

/** Calls the tasks of a file. */
export async function endFile(): Promise<void> {
  for (const task of tasks.splice(0).toReversed()) await task();
}
