import { shownAuditProblems, type AuditProblem, type AuditSealState } from '@switchyard/contract/audit-seals';
import { wireDate } from '@switchyard/contract/dates';
import { anchorText, type Anchor, type AnchorFile } from '../../adapters/audit-anchor.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { countEntriesAfter, listIdsAhead, type AuditSeal } from './audit-seals-store.ts';
import { problemText } from './problem-text.ts';
import { sealEntries, type SealDependencies } from './seal-entries.ts';
import { firstPosition, verifySeals } from './verify-seals.ts';

/** Milliseconds that one part of a comparison takes; a long trail takes several. The first one delays the start. */
const partMs = 2000;
/** Problems that are logged at most for each part. */
const loggedProblems = 20;

type Round = { position: typeof firstPosition; entries: number; problems: AuditProblem[]; total: number };
type Outcome = Pick<Round, 'entries' | 'problems' | 'total'> & { verifiedAt: Date };

/** Receives seals and problems as log lines. */
export type SealLogger = { info: (line: string) => void; error: (line: string) => void };

export type WatchDependencies = SealDependencies & { anchorFile: AnchorFile; logger: SealLogger };

export type SealWatch = {
  /** Seals new entries, and compares a part of the sealed ones. */
  maintain(): Promise<void>;
  /** Seals new entries and compares all sealed ones, in the background. Does nothing while such a run is under way. */
  verify(): void;
  /** Compares the anchor with the database. Gives the number of the seal that is missing; null: none is. */
  findMissing(): Promise<string | null>;
  /** Continues sealing although earlier seals are missing. An administrator has acknowledged that. */
  resume(): Promise<void>;
  /** How many problems this process knows of; null: none, but it has not compared all seals yet. */
  countProblems(): number | null;
  /** Results of this process, as a reader with this scope may see them. */
  stateFor(scope: AppScope): Promise<AuditSealState>;
};

/**
 * Keeps the trail sealed and compares it, round after round. The newest seal and the results stay outside the database, where they
 * could be changed together with the trail: in memory and, for the next start, in a file.
 */
export function createSealWatch(deps: WatchDependencies): SealWatch {
  const { anchorFile, logger } = deps;
  const db = deps.databases.opsDb;
  let anchor: Anchor | null = null;
  let storedAnchor: string | null = null;
  let isAnchorRead = false;
  let isMissing = false;
  let isLossAcknowledged = false;
  let isVerifying = false;
  let finishedRounds = 0;
  let round = newRound();
  let outcome: Outcome | null = null;
  let newest: AuditSeal | undefined;
  let idsAhead: string[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs one part of the work at a time, so that calls and the maintenance never work on the same round. */
  async function inTurn(work: () => Promise<void>): Promise<void> {
    const running = queue.then(work);
    queue = running.catch(() => undefined);
    return running;
  }

  async function readAnchor(): Promise<void> {
    if (isAnchorRead) return;
    isAnchorRead = true;
    try {
      anchor = await anchorFile.read();
      storedAnchor = anchor && anchorText(anchor);
    } catch (error) {
      logger.error(`Audit trail: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async function storeAnchor(): Promise<void> {
    if (anchor === null || anchorText(anchor) === storedAnchor) return;
    try {
      await anchorFile.write(anchor);
      storedAnchor = anchorText(anchor);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error(`Audit trail: ${anchorFile.path} could not be written, so the next start has no anchor (${reason})`);
    }
  }

  async function seal(): Promise<void> {
    await readAnchor();
    const isFirst = anchor === null;
    const run = await sealEntries(deps, { anchor, isLossAcknowledged });
    ({ isMissing, anchor } = run);
    if (isMissing) {
      if (!isLossAcknowledged)
        logger.error(
          `Audit trail: seal ${anchor?.number} is missing (nothing is sealed until an administrator acknowledges it on Activity)`,
        );
      return;
    }
    isLossAcknowledged = false;
    newest = run.last ?? newest;
    const { newSeal } = run;
    if (newSeal === null) {
      if (isFirst && anchor !== null)
        logger.info(`Audit trail: no anchor in ${anchorFile.path}, so the newest seal in the database is trusted (${anchorText(anchor)})`);
    } else logger.info(`Audit trail: sealed up to entry ${newSeal.toId} (anchor ${anchorText({ number: newSeal.id, mac: newSeal.mac })})`);
    await storeAnchor();
  }

  async function compare(): Promise<void> {
    idsAhead = await listIdsAhead(db, shownAuditProblems);
    const part = await verifySeals({ db, loadKeys: deps.loadKeys }, round.position, partMs);
    for (const problem of [...idsAhead.map(problemAhead), ...part.problems].slice(0, loggedProblems))
      logger.error(`Audit trail: ${problemText(problem)}`);
    round = {
      position: part.position,
      entries: round.entries + part.entries,
      problems: [...round.problems, ...part.problems].slice(0, shownAuditProblems),
      total: round.total + part.problems.length,
    };
    if (!part.isEnd) return;
    outcome = { ...round, verifiedAt: deps.now() };
    round = newRound();
    finishedRounds += 1;
  }

  async function verifyAll(): Promise<void> {
    const before = finishedRounds;
    await inTurn(async () => {
      round = newRound();
      await seal();
    });
    let isOver = false;
    while (!isOver) {
      await inTurn(compare);
      isOver = finishedRounds !== before;
    }
  }

  function verify(): void {
    if (isVerifying) return;
    isVerifying = true;
    verifyAll()
      .catch((error: unknown) =>
        logger.error(`Audit trail: could not be compared (${error instanceof Error ? error.message : String(error)})`),
      )
      .finally(() => {
        isVerifying = false;
      });
  }

  const isHalted = () => isMissing && !isLossAcknowledged;
  const missingSeal = () => (isHalted() && anchor !== null ? String(anchor.number) : null);

  function findings() {
    // A round under way says more than the one before it, as soon as it found something.
    const shown = round.total > 0 || outcome === null ? round : outcome;
    const lost = missingSeal();
    const isNamed = shown.problems.some(({ kind, seal_id: id }) => kind === 'seal-missing' && id === lost);
    const further: AuditProblem[] = [
      ...(lost === null || isNamed ? [] : [{ kind: 'seal-missing', seal_id: lost, entry_id: null } as const]),
      ...idsAhead.map(problemAhead),
    ];
    return { shown, further, total: shown.total + further.length };
  }

  return {
    async maintain() {
      await inTurn(async () => {
        await seal();
        await compare();
      });
    },
    verify,
    async findMissing() {
      await inTurn(seal);
      return missingSeal();
    },
    async resume() {
      await inTurn(async () => {
        isLossAcknowledged = isMissing;
        await seal();
        [round, outcome] = [newRound(), null];
      });
      verify();
    },
    countProblems() {
      const { total } = findings();
      return total === 0 && outcome === null ? null : total;
    },
    async stateFor(scope) {
      const { shown, further, total } = findings();
      const isWhole = scope === 'all';
      return {
        state: total > 0 ? 'broken' : outcome === null ? 'checking' : 'intact',
        is_halted: isHalted(),
        is_verifying: isVerifying,
        verified_at: wireDate(outcome?.verifiedAt ?? null),
        sealed_until: newest?.sealedAt.slice(0, 19) ?? null,
        sealed_to: isWhole ? (newest?.toId ?? null) : null,
        sealed_entries: isWhole ? shown.entries : null,
        unsealed_entries: isWhole ? await countEntriesAfter(db, newest?.toId ?? null) : null,
        total_problems: isWhole ? total : null,
        problems: isWhole ? [...further, ...shown.problems].slice(0, shownAuditProblems) : null,
      };
    },
  };
}

function newRound(): Round {
  return { position: firstPosition, entries: 0, problems: [], total: 0 };
}

function problemAhead(id: string): AuditProblem {
  return { kind: 'entry-ahead', seal_id: null, entry_id: id };
}
