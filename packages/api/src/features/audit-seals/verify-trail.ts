import { anchorText, parseAnchor, type Anchor, type AnchorFile } from '../../adapters/audit-anchor.ts';
import type { Databases } from '../../database/connect.ts';
import type { LoadAuditKeys } from '../../secret-keys/derived-keys.ts';
import { countEntriesAfter, listIdsAhead } from './audit-seals-store.ts';
import { findAcknowledgement, findAnchored } from './follow-anchor.ts';
import { problemText } from './problem-text.ts';
import { firstPosition, verifySeals, type AcknowledgedLoss } from './verify-seals.ts';

/** Milliseconds between two outputs of problems. */
const intervalMs = 1000;
/** Entries ahead of the sequence that are named at most. */
const namedAhead = 1000;

type Given = {
  db: Databases['db'];
  loadKeys: LoadAuditKeys;
  /** Seals that the console logged, `number:hash`: each must still be there. */
  anchors: readonly string[];
  /** The file with the newest seal; null where there can be no anchor, as for a backup. */
  file: AnchorFile | null;
  /** Gets a line for each problem, and one with the result. */
  tell: (line: string) => void;
};

type NamedAnchor = { anchor: Anchor; source: string };

/** `unanchored`: nothing was found, but a removal of the newest seals would not have been noticed. */
export type TrailResult = 'unchanged' | 'changed' | 'unanchored';

/** Compares the whole trail with its seals, and the seals with all anchors that are given or in the file. */
export async function verifyTrail({ db, loadKeys, anchors: texts, file, tell }: Given): Promise<TrailResult> {
  const problems: string[] = [];
  const report = (line: string): void => {
    problems.push(line);
    tell(line);
  };
  // Read first: the console may seal meanwhile.
  const anchors = [...(file === null ? [] : await fileAnchor(file, report)), ...givenAnchors(texts, report)];
  let [position, entries] = [firstPosition, 0];
  for (let isEnd = false; !isEnd;) {
    const part = await verifySeals({ db, loadKeys }, position, intervalMs);
    for (const problem of part.problems) report(problemText(problem));
    for (const loss of part.losses) tell(lossText(loss));
    ({ position, isEnd } = part);
    entries += part.entries;
  }
  for (const id of await listIdsAhead(db, namedAhead)) report(problemText({ kind: 'entry-ahead', seal_id: null, entry_id: id }));
  for (const named of anchors) await compareAnchor({ db, loadKeys, report, tell }, named);
  const open = await countEntriesAfter(db, position.toId);
  const sealed = `${entries} sealed entries up to seal ${position.sealId}, ${open} entries not sealed yet`;
  const compared = anchors.map(({ anchor, source }) => `seal ${anchor.number} (${source})`).join(', ');
  if (problems.length > 0) {
    tell(`Problems: ${problems.length} (${sealed}).${compared === '' ? '' : ` Compared with ${compared}.`}`);
    return 'changed';
  }
  if (file === null) {
    tell(`Nothing was changed: ${sealed}.`);
    return 'unanchored';
  }
  if (anchors.length === 0) {
    tell(
      `No changes found, but there is no anchor to compare with (none in ${file.path}, none given with --anchor), so missing seals at the end cannot be noticed: ${sealed}. A console writes one when it starts, and with each seal.`,
    );
    return 'unanchored';
  }
  tell(`Nothing was changed: ${sealed}. Compared with ${compared}.`);
  return 'unchanged';
}

async function fileAnchor(file: AnchorFile, report: (line: string) => void): Promise<NamedAnchor[]> {
  try {
    const anchor = await file.read();
    return anchor === null ? [] : [{ anchor, source: file.path }];
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return [];
  }
}

function givenAnchors(texts: readonly string[], report: (line: string) => void): NamedAnchor[] {
  return texts.flatMap((text) => {
    const anchor = parseAnchor(text);
    if (anchor !== null) return [{ anchor, source: '--anchor' }];
    report(`anchor ${text} is none (use number:hash, as the console logged it)`);
    return [];
  });
}

type Comparison = { db: Databases['db']; loadKeys: LoadAuditKeys; report: (line: string) => void; tell: (line: string) => void };

async function compareAnchor({ db, loadKeys, report, tell }: Comparison, { anchor, source }: NamedAnchor): Promise<void> {
  if (await findAnchored(db, anchor)) return;
  const what = `seal ${anchor.number} of the anchor ${anchorText(anchor).replace(/(:.{12}).*/, '$1…')} (${source}) is missing or was replaced`;
  const acknowledgement = await findAcknowledgement(db, await loadKeys(db), anchor.number);
  if (acknowledgement === undefined) report(what);
  else tell(`Acknowledged by an administrator: ${what} (seal ${acknowledgement.id})`);
}

function lossText({ from, to, resumedBy }: AcknowledgedLoss): string {
  const seals = from === to ? `seal ${from} is` : `seals ${from} to ${to} are`;
  return `Acknowledged by an administrator: ${seals} missing (seal ${resumedBy})`;
}
