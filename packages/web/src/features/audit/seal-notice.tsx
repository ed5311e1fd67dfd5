import { Alert, Button } from '@mantine/core';
import type { AuditProblem, AuditSealState } from '@switchyard/contract/audit-seals';
import { IconShieldX } from '@tabler/icons-react';
import { useState } from 'react';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import classes from './activity.module.css';
import { groupProblems, type ProblemGroup } from './seal-problems.ts';
import { acknowledgeLoss, verifySeals } from './use-seal.ts';
import { Writes } from '../../shared/ui/read-only.tsx';

/** Problems that the notice names. */
const mostNamed = 5;

const words: Readonly<Record<AuditProblem['kind'], (group: ProblemGroup) => string>> = {
  'entry-changed': ({ first }) => `Entry ${first} was changed.`,
  'entry-missing': ({ first, last, count }) =>
    count === 1 ? `Entry ${first} was deleted.` : `${groupedNumber(count)} entries from ${first} to ${last} were deleted.`,
  'entry-added': ({ first }) => `Entry ${first} was added afterwards.`,
  'entry-ahead': ({ first }) => `Entry ${first} was added with an id that the console has not reached.`,
  'seal-changed': ({ sealId }) => `Seal ${sealId} was changed or moved.`,
  'seal-missing': ({ sealId }) => `Seal ${sealId} is missing or was replaced.`,
  'other-key': ({ sealId }) => `Seal ${sealId} cannot be verified: it was made with another SECRET_KEY.`,
};

/** Whether the entries are as they were written, and up to which one; nothing while that is not known. */
export function SealNotice({ seal }: { seal: AuditSealState | undefined }) {
  if (seal === undefined) return null;
  return (
    <div>
      {seal.state === 'broken' && <BrokenAlert seal={seal} />}
      <SealLine seal={seal} />
    </div>
  );
}

/** The result of the last comparison, the newest seal, and the button that compares now. */
function SealLine({ seal }: { seal: AuditSealState }) {
  const displayDate = useDisplayDate();
  const [isStarting, setStarting] = useState(false);
  const isVerifying = seal.is_verifying || isStarting;
  const start = async () => {
    setStarting(true);
    await verifySeals().finally(() => setStarting(false));
  };
  return (
    <div className={classes['sealed']}>
      {seal.state === 'intact' && (
        <span>
          {seal.sealed_entries === null ? 'All sealed entries' : `All ${groupedNumber(seal.sealed_entries)} sealed entries`} were unchanged
          at {displayDate(seal.verified_at)}.
        </span>
      )}
      {seal.state === 'checking' && <span>Not all entries have been compared with their seals yet.</span>}
      {seal.sealed_until !== null && <span>{lastSealText(seal, displayDate(seal.sealed_until))}</span>}
      <Writes>
        <Button size="compact-xs" variant="subtle" color="neutral" loading={isVerifying} onClick={() => void start()}>
          Verify now
        </Button>
      </Writes>
    </div>
  );
}

function lastSealText({ sealed_to: entry, unsealed_entries: open }: AuditSealState, at: string): string {
  if (entry === null || open === null) return `Last sealed at ${at}.`;
  const newer = open === 1 ? '1 newer entry is' : `${groupedNumber(open)} newer entries are`;
  return `Last sealed at ${at}, up to entry ${entry}${open === 0 ? '' : `; ${newer} not sealed yet`}.`;
}

function BrokenAlert({ seal: { problems, total_problems: total, is_halted: isHalted } }: { seal: AuditSealState }) {
  const user = useSessionUser();
  const groups = groupProblems(problems ?? []);
  const shownGroups = groups.slice(0, mostNamed);
  const further = (total ?? 0) - shownGroups.reduce((sum, { count }) => sum + count, 0);
  const lostSeal = isHalted ? problems?.find(({ kind }) => kind === 'seal-missing')?.seal_id : null;
  const mayAcknowledge = user?.isSuperAdmin === true && user.hasAllApps;
  return (
    <Alert
      className={classes['broken'] ?? ''}
      color="danger"
      role="alert"
      icon={<IconShieldX aria-hidden />}
      title="The activity was changed outside the console"
    >
      {shownGroups.length > 0 && (
        <ul className={classes['problems']}>
          {shownGroups.map((group) => (
            <li key={`${group.kind} ${group.sealId} ${group.first}`}>
              {group.first === null ? (
                words[group.kind](group)
              ) : (
                <AppLink href={paths.activityNear(group.first)}>{words[group.kind](group)}</AppLink>
              )}
            </li>
          ))}
          {further > 0 && <li>{groupedNumber(further)} more.</li>}
        </ul>
      )}
      Entries below may be wrong or missing. Run <code>switchyard audit verify</code> on the server to see every problem.
      {isHalted && (
        <p className={classes['halted']}>
          New entries are not sealed until a super admin acknowledges that seals are missing, for example after a restore.
        </p>
      )}
      {typeof lostSeal === 'string' && mayAcknowledge && (
        <Writes>
          <Button size="compact-sm" color="danger" variant="outline" onClick={() => confirmLoss(lostSeal)}>
            Acknowledge and continue
          </Button>
        </Writes>
      )}
    </Alert>
  );
}

function confirmLoss(sealId: string): void {
  askConfirm({
    title: 'Continue sealing without the missing seals?',
    lines: [
      `Seal ${sealId} is missing. Find the reason first: either an older backup was restored, or somebody changed the database.`,
      'The entries below are sealed as they are. Activity names you as the one who acknowledged it.',
    ],
    isDangerous: true,
    action: async () => acknowledgeLoss(sealId),
  });
}
