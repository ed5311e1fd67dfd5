import type { ReactNode } from 'react';
import { bans } from '../../shared/blocks/ban-items.ts';
import { noAsn, noValue } from '@switchyard/contract/requests';
import { useBulkChanges } from '../../shared/bulk/use-bulk-changes.tsx';

/** Boxes that tick values to ban, and what else the card of the values shows for them. */
export type TopBans = { button: ReactNode; bar: ReactNode; boxOf: (code: string) => ReactNode };

type Props = { codes: readonly string[]; /** Other filters end the selection. */ filters: string; children: (bans: TopBans) => ReactNode };

const codeOf = (code: string): string => code;
const systemName = (code: string): string => `AS${code}`;

/** Whether a value is the code of a system, not that there is none or none is known. */
const isAsn = (code: string): boolean => code !== noValue && code !== noAsn;

/** Gives the card of autonomous systems what bans those that are ticked. Loaded by itself: the page is the heaviest one. */
export default function AsnBans({ codes, filters, children }: Props) {
  const { columns, button, bar } = useBulkChanges({
    list: { rows: codes.filter(isAsn), rowId: codeOf, fingerprint: filters, pagination: null },
    filter: null,
    noun: 'autonomous systems',
    nameOf: systemName,
    items: bans,
    hint: 'Tick what to ban',
  });
  return children({ button, bar, boxOf: (code) => (isAsn(code) ? columns[0]?.cell(code) : undefined) });
}
