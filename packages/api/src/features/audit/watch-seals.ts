import { shownAuditProblems, type AuditProblem, type AuditSealState } from '@switchyard/contract/audit-seals';
import { wireDate } from '@switchyard/contract/dates';
import type { AppScope } from '../../app-scope.ts';
import { sealEntries, type SealDependencies } from './seal-entries.ts';
import { firstPosition, verifySeals } from './verify-seals.ts';

/** Milliseconds that one call compares; a long trail takes several. The first one delays the start. */
const patience = 2000;

type Round = { position: typeof firstPosition; entries: number; problems: AuditProblem[]; total: number };
type Outcome = Pick<Round, 'entries' | 'problems' | 'total'> & { verifiedAt: Date };

/** Where seals and problems are logged. */
export type SealLogger = { info: (line: string) => void; error: (line: string) => void };

export type SealWatch = {
  /** Seals new entries, and compares a part of the sealed ones. */
  maintain(): Promise<void>;
  /** What the comparisons of this process found, as a reader with this scope may see it. */
  stateFor(scope: AppScope): AuditSealState;
};

/**
 * Keeps the trail sealed and compares it, round after round. What it found stays in memory: in the database it could be changed
 * together with the trail.
 */
export function createSealWatch(deps: SealDependencies & { logger: SealLogger }): SealWatch {
  let round = newRound();
  let outcome: Outcome | null = null;
  let sealedUntil: string | null = null;

  async function seal(): Promise<void> {
    const last = await sealEntries(deps);
    if (last === null) return;
    sealedUntil = last.sealedAt.slice(0, 19);
    // Written outside the database, so that the end of the trail cannot be cut off unseen (audit:verify --anchor).
    deps.logger.info(`Audit trail: sealed up to entry ${last.toId} (anchor ${last.id}:${last.mac.toString('hex')})`);
  }

  async function compare(): Promise<void> {
    const part = await verifySeals({ db: deps.databases.opsDb, mac: deps.mac }, round.position, patience);
    for (const problem of part.problems.slice(0, shownAuditProblems)) deps.logger.error(`Audit trail: ${problemText(problem)}`);
    round = {
      position: part.position,
      entries: round.entries + part.entries,
      problems: [...round.problems, ...part.problems].slice(0, shownAuditProblems),
      total: round.total + part.problems.length,
    };
    if (!part.isEnd) return;
    outcome = { ...round, verifiedAt: deps.now() };
    round = newRound();
  }

  return {
    async maintain() {
      await seal();
      await compare();
    },
    stateFor(scope) {
      // A round under way says more than the one before it, as soon as it found something.
      const told = round.total > 0 || outcome === null ? round : outcome;
      const isBroken = told.total > 0;
      const isWhole = scope === 'all';
      return {
        state: isBroken ? 'broken' : outcome === null ? 'checking' : 'intact',
        verified_at: wireDate(outcome?.verifiedAt ?? null),
        sealed_until: sealedUntil,
        sealed_entries: isWhole ? told.entries : null,
        total_problems: isWhole ? told.total : null,
        problems: isWhole ? told.problems : null,
      };
    },
  };
}

function newRound(): Round {
  return { position: firstPosition, entries: 0, problems: [], total: 0 };
}

const problemTexts: Readonly<Record<AuditProblem['kind'], (seal: number, entry: number | null) => string>> = {
  'entry-changed': (seal, entry) => `entry ${entry} was changed (seal ${seal})`,
  'entry-missing': (seal, entry) => `entry ${entry} was deleted (seal ${seal})`,
  'entry-added': (seal, entry) => `entry ${entry} was added afterwards (seal ${seal})`,
  'seal-changed': (seal) => `seal ${seal} was changed or moved`,
  'seal-missing': (seal) => `seal ${seal} is missing`,
  'other-key': (seal) => `seal ${seal} cannot be verified (made with another SECRET_KEY)`,
};

/** A problem in words, for logs and terminals. */
export function problemText({ kind, seal_id: seal, entry_id: entry }: AuditProblem): string {
  return problemTexts[kind](seal, entry);
}
