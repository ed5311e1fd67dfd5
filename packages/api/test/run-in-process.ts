import { vi } from 'vitest';
import { runCommandLine } from '../src/cli/command-line.ts';

/** Thrown by `process.exit`, so that nothing of the command runs after it. */
class Exit extends Error {
  override name = 'Exit';
}

/**
 * Runs the command to its end as `runProgram` does, but in this process, because a process takes half a second to start. Not for what
 * depends on signals or on the start of Node.js, nor for two commands at once.
 */
export async function runInProcess(
  args: readonly string[],
  { env = {}, cwd = process.cwd() }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const before = { env: process.env, exitCode: process.exitCode, cwd: process.cwd() };
  const output = { stdout: '', stderr: '' };
  let code: number | null = null;
  const spies = (['stdout', 'stderr'] as const).flatMap((name) => [
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      // Once it has ended, only the error of `process.exit` would be reported.
      if (code === null) output[name] += String(text);
      return true;
    }),
    // Each run would add a listener for good.
    vi.spyOn(process[name], 'on').mockReturnThis(),
  ]);
  const exit = vi.spyOn(process, 'exit').mockImplementation((exitCode) => {
    code ??= Number(exitCode);
    throw new Exit();
  });
  try {
    process.env = { PATH: before.env['PATH'], ...env };
    process.exitCode = 0;
    process.chdir(cwd);
    await runCommandLine(['node', 'switchyard', ...args]);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    code ??= Number(process.exitCode);
    for (const spy of [...spies, exit]) spy.mockRestore();
    Object.assign(process, { env: before.env, exitCode: before.exitCode });
    process.chdir(before.cwd);
  }
  return { code, ...output };
}
