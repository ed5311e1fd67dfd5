import { execFileSync } from 'node:child_process';
import { readFileSync, existsSync } from 'node:fs';
import type { SourceFile } from './architecture-rules.ts';

/** Source files that git tracks or would track, read from the working tree. */
export function readSourceFiles(): SourceFile[] {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.css'], {
    encoding: 'utf8',
  });
  return names
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
