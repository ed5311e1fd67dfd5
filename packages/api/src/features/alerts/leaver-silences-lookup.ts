import { alertSeverities } from '@switchyard/contract/alerts';
import { displayUtc } from '@switchyard/contract/dates';
import type { Announce, Announcement } from '../../announcement.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { createIsInScope } from './alert-access.ts';
import { listActiveRules } from './rules-store.ts';
import { coveredKinds, coverOf } from './silence-commands.ts';
import { updateEndOfAll, type EndedSilence } from './silences-store.ts';
import { listWatchedApps } from './watched-read-model.ts';

/**
 * Ends the silences that an account that leaves began or planned, and gives them. The channels of the rules that a silence muted hear
 * that it ended.
 */
export async function endSilencesOf(
  tx: OpenTransaction,
  creator: { id: number; name: string },
  { announce, now }: { announce: Announce; now: Date },
): Promise<{ id: number; name: string }[]> {
  const ended = await updateEndOfAll(tx, creator.id, now);
  const begun = ended.filter(({ startedAt }) => startedAt < now);
  if (begun.length > 0) await announce(tx, await endAnnouncements(tx, begun, { creatorName: creator.name, now }));
  return ended.map(({ silence: { id, note } }) => ({ id, name: note }));
}

async function endAnnouncements(
  tx: OpenTransaction,
  silences: readonly EndedSilence[],
  { creatorName, now }: { creatorName: string; now: Date },
): Promise<Announcement[]> {
  const [rules, apps] = [await listActiveRules(tx), await listWatchedApps(tx)];
  return silences.flatMap((stored) => {
    const { id, note, rule, scope } = stored.silence;
    const [kinds, isInScope] = [coveredKinds(coverOf(stored)), createIsInScope(scope)];
    const muted = rules.filter(
      (one) =>
        kinds.includes(one.kind) &&
        (rule === null || rule.id === one.id) &&
        (scope.apps === 'all' || apps.filter(isInScope).some(createIsInScope(one.scope))),
    );
    const severity = alertSeverities.find((name) => muted.some((one) => one.severity === name));
    if (severity === undefined) return [];
    return [
      {
        uid: `silence-${id}-ended`,
        type: 'silence.ended',
        severity,
        at: now,
        title: `Silence ended: ${note || (rule?.name ?? 'no note')}`,
        lines: [
          `${creatorName}, who created it, was deleted. It would have ended on ${displayUtc(stored.endsAt)}.`,
          'Incidents that it muted are announced if they still fire, unless another silence covers them.',
        ],
        path: '/incidents?startTabName=Silences',
        channelIds: muted.some((one) => one.channel_ids === null) ? null : muted.flatMap((one) => one.channel_ids ?? []),
        data: { silence_id: id, note },
      },
    ];
  });
}
