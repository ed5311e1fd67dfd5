import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const installation = join(import.meta.dirname, '../../../..');

/** The commit itself, 40 hexadecimal digits (64 in repositories with SHA-256). */
const commitText = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit that this installation was made from: the file `COMMIT`, which images and archives carry, or what a checkout has checked out.
 * Null if neither tells. Reads the files of Git, because a service has no `git`, and `git` rejects the checkout of another account.
 */
export function findCommit(root = installation): string | null {
  try {
    const file = join(root, 'COMMIT');
    return commitIn(existsSync(file) ? readFileSync(file, 'utf8') : readHead(join(root, '.git')));
  } catch {
    return null;
  }
}

function commitIn(text: string): string | null {
  const commit = text.trim();
  return commitText.test(commit) ? commit : null;
}

/** The commit of HEAD. `.git` of a work tree is a file that names its folder, whose `commondir` has the branches. */
function readHead(git: string): string {
  const folder = statSync(git).isFile()
    ? resolve(
        git,
        '..',
        readFileSync(git, 'utf8')
          .replace(/^gitdir: /, '')
          .trim(),
      )
    : git;
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
  if (!head.startsWith('ref: ')) return head;
  const branch = head.slice('ref: '.length);
  const common = existsSync(join(folder, 'commondir')) ? resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim()) : folder;
  if (existsSync(join(common, branch))) return readFileSync(join(common, branch), 'utf8');
  const packed = readFileSync(join(common, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? '';
}
