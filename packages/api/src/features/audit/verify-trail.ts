import type { AuditMac } from '../../adapters/audit-mac.ts';
import type { Databases } from '../../database/connect.ts';
import { countEntriesAfter, readSeals } from './audit-seals-store.ts';
import { firstPosition, verifySeals } from './verify-seals.ts';
import { problemText } from './watch-seals.ts';

/** Milliseconds between two outputs of problems. */
const interval = 1000;

type Given = {
  db: Databases['db'];
  mac: AuditMac;
  /** Seals that the console logged, `number:hex`: each must still be there. */
  anchors: readonly string[];
  /** Gets a line for each problem, and one with the result. */
  tell: (line: string) => void;
};

/** Compares the whole trail with its seals, and the seals with anchors. True: nothing was changed. */
export async function verifyTrail({ db, mac, anchors, tell }: Given): Promise<boolean> {
  let [position, entries, found] = [firstPosition, 0, 0];
  for (let isEnd = false; !isEnd;) {
    const part = await verifySeals({ db, mac }, position, interval);
    for (const problem of part.problems) tell(problemText(problem));
    ({ position, isEnd } = part);
    entries += part.entries;
    found += part.problems.length;
  }
  for (const anchor of anchors) {
    const problem = await anchorProblem(db, anchor);
    if (problem === null) continue;
    tell(problem);
    found += 1;
  }
  const open = await countEntriesAfter(db, position.toId);
  const sealed = `${entries} sealed entries in ${position.sealId} seals, ${open} entries not sealed yet`;
  tell(found === 0 ? `Nothing was changed: ${sealed}.` : `Problems: ${found} (${sealed}).`);
  return found === 0;
}

async function anchorProblem(db: Databases['db'], anchor: string): Promise<string | null> {
  const [, id = '', hex] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(anchor) ?? [];
  if (hex === undefined) return `anchor ${anchor} is none (use number:hash, as the console logged it)`;
  const [seal] = await readSeals(db, Number(id) - 1, 1);
  if (seal?.id !== Number(id)) return `seal ${id} of the anchor is missing`;
  return seal.mac.toString('hex') === hex ? null : `seal ${id} is not the one of the anchor`;
}
