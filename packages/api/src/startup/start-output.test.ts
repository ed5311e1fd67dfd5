import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createStartOutput, formatPercent, quarterReached } from './start-output.ts';

/** A stream that keeps what was written; `lines` is what a terminal shows of it. */
function recordOutput(isTTY: boolean, columns: number) {
  let text = '';
  const write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  const lines = (): string[] => text.split('\n').map((line) => line.split('\r\u001B[K').at(-1) ?? '');
  return { stream: { write, isTTY, columns }, lines };
}

function openOutput(isTTY: boolean, columns = 40) {
  const { stream, lines } = recordOutput(isTTY, columns);
  return { output: createStartOutput({ stdout: stream, stderr: stream }), lines };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('the progress of a start', () => {
  it('[AMB-153] rounds the share down, so that 100 % means all of the past', () => {
    expect([0, 0.374, 0.999, 1, 1.2, -1].map(formatPercent)).toEqual(['0 %', '37 %', '99 %', '100 %', '100 %', '0 %']);
  });

  it('[AMB-153] names a quarter once, and the last one when several were passed', () => {
    expect(quarterReached(0, null)).toBe(0);
    expect(quarterReached(0.1, 0)).toBeNull();
    expect(quarterReached(0.3, 0)).toBe(0.25);
    expect(quarterReached(0.8, 0.25)).toBe(0.75);
    expect(quarterReached(1, 0.75)).toBe(1);
    expect(quarterReached(0.6, null)).toBe(0.5);
  });

  it('[AMB-153] is one line of a terminal, below what is said meanwhile', () => {
    const { output, lines } = openOutput(true, 19);
    const finish = output.step('Starting');
    vi.advanceTimersByTime(2000);
    expect(lines()).toEqual(['Starting … 2 s']);
    output.warn('A warning');
    expect(lines()).toEqual(['A warning', 'Starting … 2 s']);
    finish('Started');
    output.say('Ready');
    expect(lines()).toEqual(['A warning', 'Started in 2 s', 'Ready', '']);
    for (const share of [0, 0.1, 0.374]) output.past(share);
    // Cut to one row of this narrow terminal.
    expect(lines()).toEqual(['A warning', 'Started in 2 s', 'Ready', 'Demo back-fill: 37']);
    output.past(null);
    expect(lines().at(-1)).toBe('');
    output.past(0.5);
    output.past(1);
    expect(lines().slice(3)).toEqual(['Demo back-fill: 100 %', '']);
  });

  it('[AMB-153] is whole on a terminal that does not know its width', () => {
    const { output, lines } = openOutput(true, 0);
    output.past(0.5);
    expect(lines()).toEqual(['Demo back-fill: 50 %']);
  });

  it('[AMB-153] leaves no line behind once it was closed', () => {
    const { output, lines } = openOutput(true);
    output.past(0.2);
    output.close();
    output.past(0.3);
    output.say('Stopped');
    expect(lines()).toEqual(['Stopped', '']);
  });

  it('[AMB-153] is a line at the end of a step and at each quarter in a file', () => {
    const { output, lines } = openOutput(false);
    output.step('Building', true)('Built');
    const finish = output.step('Starting');
    vi.advanceTimersByTime(2000);
    finish('Started');
    for (const share of [0, 0.1, 0.3, 0.31, 0.8, 0.99, 1]) output.past(share);
    expect(lines()).toEqual([
      'Building …',
      'Built',
      'Started in 2 s',
      ...['0 %', '30 %', '80 %', '100 %'].map((percent) => `Demo back-fill: ${percent}`),
      '',
    ]);
  });
});
