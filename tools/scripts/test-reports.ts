import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** The result of one runner: how many tests passed, and a line for each that did not. */
export interface RunnerReport {
  readonly passedCount: number;
  readonly failedTests: readonly string[];
}

const vitestReport = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
});

const playwrightSuite = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      ok: z.boolean(),
      file: z.string(),
      line: z.int(),
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.int() }),
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** Maximum length of a reported message. */
const messageCharacters = 600;

/** The beginning of an error's message on one line, without what a terminal makes of it. */
function brief(text: string | undefined): string {
  if (text === undefined) return 'no message';
  const lines = stripVTControlCharacters(text).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' · ')
    .slice(0, messageCharacters);
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Reads Vitest's JSON report in `file`; null if it wrote none. A file that could not be loaded is one failure. */
export function readVitestReport(file: string): RunnerReport | null {
  const json = readJson(file);
  if (json === null) return null;
  const report = vitestReport.parse(json);
  const failedTests = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [`${path}: ${brief(message)}`] : [];
    return tests.map((test) => `${path} › ${test.fullName}: ${brief(test.failureMessages?.[0])}`);
  });
  return { passedCount: report.numPassedTests, failedTests };
}

function failedSpecs(suite: z.infer<typeof playwrightSuite>): string[] {
  // A test that passed only on a retry is reported as failed: flaky tests are not accepted.
  const own = suite.specs
    .filter(({ ok, tests }) => !ok || tests.some((test) => test.status === 'flaky'))
    .map(({ file, line, title, tests }) => {
      const messages = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []));
      return `${file}:${line} › ${title}: ${brief(messages[0])}`;
    });
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

/** Reads Playwright's JSON report in `file`; null if it wrote none. An error outside of tests is one failure. */
export function readPlaywrightReport(file: string): RunnerReport | null {
  const json = readJson(file);
  if (json === null) return null;
  const { stats, suites, errors } = playwrightReport.parse(json);
  return { passedCount: stats.expected, failedTests: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => brief(message))] };
}
