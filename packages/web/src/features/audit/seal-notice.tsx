import { Alert } from '@mantine/core';
import { getAuditSeal, type AuditProblem } from '@switchyard/contract/audit-seals';
import { IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import classes from './activity.module.css';

/** Problems that the notice names. */
const named = 5;

const words: Readonly<Record<AuditProblem['kind'], (problem: AuditProblem) => string>> = {
  'entry-changed': ({ entry_id: id }) => `Entry ${id} was changed.`,
  'entry-missing': ({ entry_id: id }) => `Entry ${id} was deleted.`,
  'entry-added': ({ entry_id: id }) => `Entry ${id} was added afterwards.`,
  'seal-changed': ({ seal_id: id }) => `Seal ${id} was changed or moved.`,
  'seal-missing': ({ seal_id: id }) => `Seal ${id} is missing.`,
  'other-key': ({ seal_id: id }) => `Seal ${id} cannot be verified: it was made with another SECRET_KEY.`,
};

/** Whether the entries are as they were written; nothing while that is not known. */
export function SealNotice() {
  const displayDate = useDisplayDate();
  const { data } = useQuery({
    queryKey: [...listKey('audit'), 'seal'],
    queryFn: async ({ signal }) => (await call(getAuditSeal, { signal, ...inBackground })).data,
  });
  if (data === undefined || data.state === 'checking') return null;
  const { state, verified_at: at, sealed_entries: entries, total_problems: total, problems } = data;
  if (state === 'intact') {
    const whose = entries === null ? 'All sealed entries' : `All ${groupedNumber(entries)} sealed entries`;
    return (
      <p className={classes['sealed']}>
        {whose} were unchanged at {displayDate(at)}.
      </p>
    );
  }
  return (
    <Alert
      className={classes['broken'] ?? ''}
      color="danger"
      role="alert"
      icon={<IconShieldX aria-hidden />}
      title="The activity was changed outside the console"
    >
      {problems !== null && (
        <ul className={classes['problems']}>
          {problems.slice(0, named).map((problem) => (
            <li key={`${problem.kind} ${problem.seal_id} ${problem.entry_id}`}>{words[problem.kind](problem)}</li>
          ))}
          {total !== null && total > named && <li>{groupedNumber(total - Math.min(named, problems.length))} more.</li>}
        </ul>
      )}
      Entries below may be wrong or missing. Run <code>npm run audit:verify</code> on the server to see every problem.
    </Alert>
  );
}
