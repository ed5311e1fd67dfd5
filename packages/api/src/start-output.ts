type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number; getColorDepth?: () => number };

/** What a start writes for the person at the terminal. */
export type StartOutput = {
  say: (...lines: string[]) => void;
  warn: (line: string) => void;
  /** Begins a step; call what it returns when the step is done. A long one is announced in a file too. */
  step: (name: string, isLong?: boolean) => (outcome: string) => void;
  /** Shows how much of the demo's past was handed in, from 0 to 1; null while nothing hands it in. */
  past: (share: number | null) => void;
  /** Removes the line of progress, for good. */
  close: () => void;
};

const eraseLine = '\r\u001B[K';
const tickMilliseconds = 1000;

/** `37 %`; rounded down, so that 100 % means all of it. */
export function formatPercent(share: number): string {
  return `${Math.floor(Math.min(1, Math.max(0, share)) * 100)} %`;
}

/** The last of 0, 25, 50, 75 and 100 % that was reached since the share before; null when there was none. */
export function quarterReached(share: number, before: number | null): number | null {
  const quarter = Math.floor(share * 4) / 4;
  return before === null || quarter > before ? quarter : null;
}

/**
 * Writes lines, and below them at most one line of progress. A terminal rewrites that line and keeps it below everything said since;
 * files and pipes get a line at the end of each step and at each quarter of the past.
 */
export function createStartOutput(streams: { stdout: Stream; stderr: Stream } = process): StartOutput {
  const { stdout, stderr } = streams;
  // A dumb terminal, which cannot erase a line, has no colours either.
  const isTerminal = stdout.isTTY === true && stdout.getColorDepth?.() !== 1;
  let shown = '';
  let isClosed = false;
  let quarter: number | null = null;
  let ticking: NodeJS.Timeout | undefined;

  /** A line that wraps could not be erased as one. */
  const show = (line: string): void => {
    if (!isTerminal || isClosed) return;
    // A terminal that does not know its width gives 0.
    const columns = stdout.columns === undefined || stdout.columns === 0 ? 80 : stdout.columns;
    const next = line.slice(0, columns - 1);
    if (next === shown) return;
    stdout.write(shown === '' ? next : `${eraseLine}${next}`);
    shown = next;
  };
  const print = (stream: Stream, lines: readonly string[]): void => {
    const progress = shown;
    show('');
    stream.write(`${lines.join('\n')}\n`);
    show(progress);
  };
  const say = (...lines: string[]): void => print(stdout, lines);

  return {
    say,
    warn: (line) => print(stderr, [line]),
    step(name, isLong = false) {
      const began = performance.now();
      const elapsed = (before: string): string => {
        const seconds = Math.round((performance.now() - began) / 1000);
        return seconds === 0 ? '' : `${before}${seconds} s`;
      };
      clearInterval(ticking);
      if (isTerminal) {
        const tick = (): void => show(`${name} …${elapsed(' ')}`);
        tick();
        ticking = setInterval(tick, tickMilliseconds).unref();
      } else if (isLong) say(`${name} …`);
      return (outcome) => {
        clearInterval(ticking);
        show('');
        say(`${outcome}${elapsed(' in ')}`);
      };
    },
    past(share) {
      if (isClosed) return;
      if (share === null) return show('');
      const line = `Demo traffic of the past days: ${formatPercent(share)} handed in`;
      if (isTerminal && share < 1) return show(line);
      show('');
      const reached = quarterReached(share, quarter);
      if (reached === null) return;
      quarter = reached;
      say(line);
    },
    close() {
      clearInterval(ticking);
      show('');
      isClosed = true;
    },
  };
}
