import { describe, expect, it } from 'vitest';
import { byteText, doneText, downloadText, rowsText, shareOf } from './download-text.ts';

const some = { job: {}, phase: 'running', rows: 1_200, bytes: 3_400_000, total: 5_000, failure: null } as const;

describe('what a download says', () => {
  it('shows rows of the exact total, and rows alone if the total is unknown or more were stored meanwhile', () => {
    expect(rowsText({ rows: 1_200, total: 5_000 })).toBe('1,200 of 5,000 rows');
    expect(rowsText({ rows: 0, total: 1 })).toBe('0 of 1 row');
    expect(rowsText({ rows: 1_200, total: null })).toBe('1,200 rows');
    expect(rowsText({ rows: 6, total: 5 })).toBe('6 rows');
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [3_450_000, '3.5 MB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('writes %i bytes as %s', (bytes, expected) => expect(byteText(bytes)).toBe(expected));

  it('never calls a broken download a file', () => {
    expect(downloadText({ ...some, phase: 'waiting' })).toBe('Waiting for the server…');
    expect(downloadText(some)).toBe('1,200 of 5,000 rows · 3.4 MB');
    expect(downloadText({ ...some, phase: 'failed', failure: 'The connection was lost.' })).toBe(
      'The connection was lost. 1,200 of 5,000 rows had arrived; no file was saved.',
    );
    expect(downloadText({ ...some, phase: 'failed', bytes: 0, failure: 'Too many' })).toBe('Too many');
  });

  it('measures by bytes what has no rows that could be seen', () => {
    const file = { ...some, job: { measure: 'bytes' }, total: 6_800_000 } as const;
    expect(downloadText(file)).toBe('3.4 MB of 6.8 MB');
    expect(downloadText({ ...file, total: null })).toBe('3.4 MB');
    expect(downloadText({ ...file, phase: 'failed', failure: 'The connection was lost.' })).toBe(
      'The connection was lost. 3.4 MB of 6.8 MB had arrived; no file was saved.',
    );
    expect([shareOf(file), shareOf({ ...file, total: null }), shareOf({ ...file, phase: 'waiting' }), shareOf(some)]).toEqual([
      0.5,
      null,
      null,
      0.24,
    ]);
    expect(doneText({ name: 'log.xlsx', rows: null, bytes: 12_698 })).toBe('log.xlsx is saved: 12.7 kB');
    expect(doneText({ name: 'requests.csv', rows: 1, bytes: 9 })).toBe('requests.csv is saved: 1 row');
  });
});
