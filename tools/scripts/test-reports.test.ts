import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './test-reports.ts';

function reportFile(report: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const spec = (title: string, status: string, message?: string) => ({
  title,
  ok: status !== 'unexpected',
  file: 'a.spec.ts',
  line: 3,
  tests: [{ status, results: [{ error: message === undefined ? undefined : { message } }] }],
});

describe('reports of the test runners', () => {
  it('name place and reason of each failed end-to-end test on one line; one that passed only on a retry has failed', () => {
    const message = '\u{1B}[31mError: expected 1\u{1B}[39m\n\n  Received: 2\n';
    const inner = { title: 'inner', specs: [spec('breaks', 'unexpected', message), spec('comes and goes', 'flaky')] };
    const file = reportFile({
      stats: { expected: 7 },
      suites: [{ title: 'outer', specs: [spec('works', 'expected')], suites: [inner] }],
      errors: [{ message: 'the server did not start' }],
    });
    expect(readPlaywrightReport(file)).toEqual({
      passedCount: 7,
      failedTests: [
        'a.spec.ts:3 › breaks: Error: expected 1 · Received: 2',
        'a.spec.ts:3 › comes and goes: no message',
        'the server did not start',
      ],
    });
  });

  it('list failed tests, and files that could not be loaded', () => {
    const result = (fullName: string, status: string) => ({ fullName, status, failureMessages: status === 'failed' ? ['Error: no'] : [] });
    const file = reportFile({
      numPassedTests: 2,
      testResults: [
        {
          name: join(process.cwd(), 'b.test.ts'),
          status: 'failed',
          assertionResults: [result('adds', 'passed'), result('takes', 'failed')],
        },
        { name: join(process.cwd(), 'c.test.ts'), status: 'failed', message: 'cannot be read', assertionResults: [] },
      ],
    });
    expect(readVitestReport(file)).toEqual({ passedCount: 2, failedTests: ['b.test.ts › takes: Error: no', 'c.test.ts: cannot be read'] });
    expect(readVitestReport(`${file}.none`)).toBeNull();
  });
});
