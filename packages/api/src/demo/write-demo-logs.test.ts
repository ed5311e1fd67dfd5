import { logLevels } from '@switchyard/contract/log-viewer';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { classifyLine } from '../adapters/log-files/classify-line.ts';
import { parseEntry } from '../adapters/log-files/parse-entry.ts';
import { demoAppLog } from '@switchyard/demo/demo-app-log';
import { demoConsoleLog } from '@switchyard/demo/demo-console-log';
import { writeDemoLogs } from '@switchyard/demo/write-demo-logs';

const until = new Date('2026-11-20T10:00:00Z');
const datesBefore = (count: number): string[] =>
  Array.from({ length: count }, (_, back) => new Date(until.getTime() - back * 86_400_000).toISOString().slice(0, 10));

/** The entries of a log as the viewer cuts and reads them. */
function entriesOf(text: string) {
  const entries: { level: string; text: string }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const bytes = Buffer.from(line);
    const level = classifyLine(bytes, { from: 0, to: bytes.length, length: bytes.length });
    const last = entries.at(-1);
    if (level !== null && level !== undefined) entries.push({ level, text: line });
    else if (last !== undefined) last.text += `\n${line}`;
  }
  return entries.map(({ level, text: whole }) => ({ level, ...parseEntry(whole) }));
}

describe("the demo's logs", () => {
  it('[AMB-208] of the app service have every level, Laravel and JSON lines, contexts and stacks, in the order of time', () => {
    const days = datesBefore(25).map((date) => entriesOf(demoAppLog({ seed: 'a', date, until })));
    const all = days.flat();
    expect(new Set(all.map(({ level }) => level))).toEqual(new Set(logLevels));
    expect(new Set(all.map(({ env }) => env))).toEqual(new Set(['production', 'worker']));
    expect(all.filter(({ stack }) => stack?.includes('#0 /srv/app') === true).length).toBeGreaterThan(50);
    expect(all.filter(({ context }) => context !== null).length).toBeGreaterThan(1_000);
    expect(all.every(({ header, datetime }) => header !== '' && datetime !== '')).toBe(true);
    for (const day of days) {
      const times = day.map(({ datetime }) => datetime);
      expect(times).toEqual(times.toSorted());
    }
    expect(days[0]?.at(-1)?.datetime.startsWith('2026-11-20 0')).toBe(true);
  });

  it('of the console have stacks too, are the same for the same installation and others for another', () => {
    const date = '2026-11-19';
    const entries = datesBefore(8).flatMap((day) => entriesOf(demoConsoleLog({ seed: 'a', date: day })));
    expect(new Set(entries.map(({ level }) => level))).toEqual(new Set(['info', 'notice', 'warning', 'error']));
    expect(entries.some(({ stack }) => stack !== null)).toBe(true);
    expect(demoConsoleLog({ seed: 'a', date })).toBe(demoConsoleLog({ seed: 'a', date }));
    expect(demoConsoleLog({ seed: 'b', date })).not.toBe(demoConsoleLog({ seed: 'a', date }));
  });

  it('are written beside the day that the console writes itself, and into no folder that is in use', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-demo-logs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const folders = { consoleDir: folder, appDir: join(folder, 'app') };
    writeFileSync(join(folder, 'console-2026-11-20.log'), 'own\n');
    await writeDemoLogs({ seed: 'a', now: until, folders: { ...folders, consoleDir: join(folder, 'console') } });
    expect(readdirSync(folders.appDir)).toHaveLength(25);
    expect(readdirSync(join(folder, 'console'))).toHaveLength(8);
    await writeDemoLogs({ seed: 'b', now: until, folders });
    expect(readFileSync(join(folders.appDir, 'app-2026-11-19.log'), 'utf8')).toBe(demoAppLog({ seed: 'a', date: '2026-11-19', until }));
    expect(readdirSync(folder).toSorted()).toEqual(['app', 'console', 'console-2026-11-20.log']);
  });
});
