import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findCommit } from './find-commit.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('[OPS-006] finds the commit of a checkout: of a branch, of packed branches, of a work tree and of a detached head', () => {
  const folder = temporaryFolder();
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: checkout, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  expect(findCommit(checkout)).toBeNull();
  git('commit', '--quiet', '--allow-empty', '--message=one');
  const commit = git('rev-parse', 'HEAD');
  expect(findCommit(checkout)).toBe(commit);
  git('pack-refs', '--all');
  expect(findCommit(checkout)).toBe(commit);
  git('worktree', 'add', '--quiet', '-b', 'other', '../other');
  expect(findCommit(join(folder, 'other'))).toBe(commit);
  git('checkout', '--quiet', '--detach');
  expect(findCommit(checkout)).toBe(commit);
});

it('[OPS-006] takes the commit that an image carries, and none from a file that holds something else', () => {
  const folder = temporaryFolder();
  expect(findCommit(folder)).toBeNull();
  writeFileSync(join(folder, 'COMMIT'), `${'0123456789'.repeat(4)}\n`);
  expect(findCommit(folder)).toBe('0123456789'.repeat(4));
  writeFileSync(join(folder, 'COMMIT'), 'unknown\n');
  expect(findCommit(folder)).toBeNull();
});
