import type { LogPage } from '../log-questions.ts';
import { logEntriesQuery } from '@switchyard/contract/log-viewer';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogAnswers, type LogOptions } from '../answer-log-question.ts';

type Answer = ReturnType<typeof createLogAnswers>;

/** A folder with the path of a log file in it, and questions on that file. */
export function openLogFile() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-file-'));
  const path = join(folder, 'console-2026-11-20.log');
  const indexDir = join(folder, 'index');

  return {
    path,
    indexDir,
    /** A reader that knows nothing yet but what is kept on disk. */
    fresh: (options: Partial<LogOptions> = {}): Answer => createLogAnswers({ indexDir, indexMilliseconds: 60_000, ...options }),
    /** A page as the query of a call requests it. @throws Error if the file was removed. */
    page: async (query: Readonly<Record<string, string>>, answer: Answer): Promise<LogPage> => {
      const queryValues = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
      const logAnswer = await answer({ kind: 'page', path, query: logEntriesQuery.parse(queryValues) });
      if (logAnswer?.kind !== 'page') throw new Error('No page');
      return logAnswer.page;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
