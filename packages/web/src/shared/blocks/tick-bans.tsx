import type { ReactNode } from 'react';
import { noAsn, noValue } from '@switchyard/contract/requests';
import { useBulkChanges } from '../bulk/use-bulk-changes.tsx';
import { addressBans } from './ban-addresses.tsx';
import { banItems } from './ban-items.ts';

/** Boxes that tick values to ban, and what else the card of the values shows for them. */
export type TickedBans = { button: ReactNode; bar: ReactNode; boxOf: (value: string) => ReactNode };

export type TickBansProps = {
  kind: 'asn' | 'address';
  /** Codes of systems, or addresses. */
  values: readonly string[];
  /** The selection ends when this changes. */
  fingerprint: string;
  /** Called after a ban of what was ticked. */
  onOver?: () => void;
  children: (bans: TickedBans) => ReactNode;
};

const itself = (value: string): string => value;

const kinds = {
  // A card of systems has values, too, for requests without one.
  asn: { noun: 'autonomous systems', nameOf: (code: string) => `AS${code}`, items: banItems, others: [noValue, noAsn] },
  address: { noun: 'addresses', nameOf: itself, items: addressBans, others: [] },
} as const;

/** Gives a card of systems or addresses what bans those that are ticked. */
export default function TickBans({ kind, values, fingerprint, onOver, children }: TickBansProps) {
  const { others, ...words } = kinds[kind];
  const isBannable = (value: string): boolean => !others.some((other) => other === value);
  const { columns, button, bar } = useBulkChanges({
    list: { rows: values.filter(isBannable), rowId: itself, fingerprint, pagination: null },
    filter: null,
    ...words,
    hint: kind === 'asn' ? 'Tick what to ban or free' : 'Tick what to ban',
    ...(onOver !== undefined && { onOver }),
  });
  return children({ button, bar, boxOf: (value) => (isBannable(value) ? columns[0]?.cell(value) : undefined) });
}
