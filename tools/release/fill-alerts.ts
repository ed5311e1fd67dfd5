import { acknowledgeIncident, createRule, createSilence, listIncidents, updateRule } from '@switchyard/contract/alerts';
import { createChannel, rotateChannelSecret } from '@switchyard/contract/channels';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import type { MessageReceiver } from '../../packages/api/test/message-receiver.ts';
import { callEndpoint as call, type Caller } from '../console/call-endpoint.ts';
import type { FilledApps } from './fill-apps.ts';
import { hostileText, longText } from './fill-accounts.ts';

export type FilledAlerts = { channelIds: number[]; endedRuleId: number };

const only = (vertical: string) => ({ apps: 'verticals', verticals: [vertical] });

/** Creates channels whose messages arrive, wait, and are given up, rules that fire on them, and silences; acknowledges incidents. */
export async function fillAlerts(
  { admin, leaver, receiver }: { admin: Caller; leaver: Caller; receiver: MessageReceiver },
  { ids, serverId }: FilledApps,
): Promise<FilledAlerts> {
  receiver.behave('/fails', { status: 500, text: hostileText });
  receiver.behave('/gone', { status: 410 });
  const targets: BodyInputOf<typeof createChannel>['target'][] = [
    { kind: 'webhook', url: `${receiver.url}/takes` },
    { kind: 'webhook', url: `${receiver.url}/fails` },
    { kind: 'webhook', url: `${receiver.url}/gone` },
    { kind: 'mail', addresses: ['nobody@example.com', 'ops@exämple.com'] },
    { kind: 'slack', url: `${receiver.url}/slack?secret=1` },
  ];
  const channelIds: number[] = [];
  for (const [at, target] of targets.entries()) {
    const name = at === 0 ? hostileText : longText(100 - at);
    const { channel } = await call(admin, createChannel, { body: { name, target, group_wait_seconds: 0, group_minutes: 0 } });
    channelIds.push(channel.id);
  }
  await call(admin, rotateChannelSecret, { params: { id: channelIds[0] ?? 0 } });
  const expiry = { kind: 'domain_expiry', threshold: 365, further_thresholds: [200, 100], channel_ids: channelIds };
  await call(admin, createRule, {
    body: { ...expiry, name: hostileText.slice(0, 100), severity: 'critical', reminder_minutes: 60, scope: only('finance') },
  });
  const ended = await call(admin, createRule, { body: { ...expiry, name: 'Ended', scope: only('fantasy') } });
  await call(admin, createRule, { body: { ...expiry, name: longText(100), pending_minutes: 1_440, hold_minutes: 60 } });
  await call(leaver, createRule, {
    body: {
      kind: 'error_share',
      name: 'Errors',
      threshold: 20,
      minimum: 30,
      window_minutes: 180,
      request_filter: 'geo=DE',
      scope: { apps: 'chosen', app_ids: ids },
    },
  });
  const silence = { note: hostileText, ends_at: new Date(Date.now() + 30 * 86_400_000).toISOString() };
  await call(leaver, createSilence, { body: { ...silence, scope: { apps: 'chosen', app_ids: ids } } });
  await call(admin, createSilence, {
    body: { ...silence, server_id: serverId, weekly: { weekdays: [1, 7], from: '22:00', until: '02:30' } },
  });
  const [first] = await call(admin, listIncidents);
  if (first) await call(admin, acknowledgeIncident, { params: { id: first.id }, body: { note: hostileText } });
  return { channelIds, endedRuleId: ended.id };
}

/** Ends the incidents of a rule by switching it off. */
export async function endIncidents(admin: Caller, { endedRuleId }: FilledAlerts): Promise<void> {
  await call(admin, updateRule, { params: { id: endedRuleId }, body: { is_on: false } });
}
