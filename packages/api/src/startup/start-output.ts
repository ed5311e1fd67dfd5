type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number; getColorDepth?: () => number };

/** Terminal output of a start. */
export type StartOutput = {
  say: (...lines: string[]) => void;
  warn: (line: string) => void;
  /** Begins a step. Call the returned function with the outcome when it is done. Long steps are announced in files too. */
  step: (name: string, isLong?: boolean) => (outcome: string) => void;
  /** Shows the progress of the demo's back-fill, from 0 to 1; null while it is not running. */
  past: (share: number | null) => void;
  /** Removes the progress line permanently. */
  close: () => void;
};

const eraseLine = '\r\u001B[K';
const tickMilliseconds = 1000;

/** Formats a share as `37 %`. Rounds down, so that 100 % means complete. */
export function formatPercent(share: number): string {
  return `${Math.floor(Math.min(1, Math.max(0, share)) * 100)} %`;
}

/** Returns the quarter (0 to 1) that was reached since the previous one, else null. */
export function quarterReached(share: number, before: number | null): number | null {
  const quarter = Math.floor(share * 4) / 4;
  return before === null || quarter > before ? quarter : null;
}

/** Streams whose lines become entries in the form of the log, all of them on standard output. */
export function jsonStreams({ environment, stdout = process.stdout }: { environment: string; stdout?: Stream }): {
  stdout: Stream;
  stderr: Stream;
} {
  const withLevel = (level: string): Stream => ({
    write(text: string | Uint8Array) {
      const entries = String(text)
        .trimEnd()
        .split('\n')
        .map((msg) => ({ level, time: new Date().toISOString(), env: environment, msg }));
      return stdout.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
  });
  return { stdout: withLevel('info'), stderr: withLevel('error') };
}

/**
 * Writes lines, and at most one progress line below them. A terminal rewrites that line and keeps it last. Files and
 * pipes get a line at the end of each step and at each quarter of the back-fill.
 */
export function createStartOutput(streams: { stdout: Stream; stderr: Stream } = process): StartOutput {
  const { stdout, stderr } = streams;
  // A dumb terminal cannot erase a line; it has no colours either.
  const isTerminal = stdout.isTTY === true && stdout.getColorDepth?.() !== 1;
  let shownText = '';
  let isClosed = false;
  let quarter: number | null = null;
  let ticking: NodeJS.Timeout | undefined;

  /** Truncates to one line, because a wrapped line cannot be erased. */
  const show = (line: string): void => {
    if (!isTerminal || isClosed) return;
    // A terminal of unknown width reports 0.
    const columns = stdout.columns === undefined || stdout.columns === 0 ? 80 : stdout.columns;
    const next = line.slice(0, columns - 1);
    if (next === shownText) return;
    stdout.write(shownText === '' ? next : `${eraseLine}${next}`);
    shownText = next;
  };
  const print = (stream: Stream, lines: readonly string[]): void => {
    const progress = shownText;
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
      const elapsedSince = (before: string): string => {
        const seconds = Math.round((performance.now() - began) / 1000);
        return seconds === 0 ? '' : `${before}${seconds} s`;
      };
      clearInterval(ticking);
      if (isTerminal) {
        const tick = (): void => show(`${name} …${elapsedSince(' ')}`);
        tick();
        ticking = setInterval(tick, tickMilliseconds).unref();
      } else if (isLong) say(`${name} …`);
      return (outcome) => {
        clearInterval(ticking);
        show('');
        say(`${outcome}${elapsedSince(' in ')}`);
      };
    },
    past(share) {
      if (isClosed) return;
      if (share === null) return show('');
      const line = `Demo back-fill: ${formatPercent(share)}`;
      if (isTerminal && share < 1) return show(line);
      show('');
      const reachedQuarter = quarterReached(share, quarter);
      if (reachedQuarter === null) return;
      quarter = reachedQuarter;
      say(line);
    },
    close() {
      clearInterval(ticking);
      show('');
      isClosed = true;
    },
  };
}
