import type { BulkItem } from '../bulk/bulk-menu.tsx';

type Bans = { isBanCreate?: boolean; isBanReceive?: boolean };

function item(label: string, params: Bans): BulkItem {
  return { label, change: { action: 'asn.ban', params } };
}

/** The bulk actions on autonomous systems. */
export const banItems: readonly BulkItem[] = [
  item('Ban create and receive', { isBanCreate: true, isBanReceive: true }),
  item('Ban create', { isBanCreate: true }),
  item('Ban receive', { isBanReceive: true }),
  item('Free create and receive', { isBanCreate: false, isBanReceive: false }),
  item('Free create', { isBanCreate: false }),
  item('Free receive', { isBanReceive: false }),
];
