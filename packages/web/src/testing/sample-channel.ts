import type { Channel } from '@switchyard/contract/channels';

/** A channel of Telegram of which messages wait and failed. */
export const sampleChannel: Channel = {
  id: 4,
  name: 'On call',
  kind: 'telegram',
  shown_target: 'Chat -100123',
  addresses: null,
  url: null,
  chat_id: '-100123',
  is_on: true,
  minimum_severity: 'warning',
  digest_minutes: 5,
  per_hour: 60,
  group_wait_seconds: 30,
  group_minutes: 5,
  last_sent_at: '2026-11-20 10:00:00',
  failed: 2,
  pending: 1,
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-01-01 00:00:00',
  version: 1,
};
