import { banAsn, type AsnRow } from '@switchyard/contract/asns';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';

/** The two flags of an autonomous system, as they are called on the wire. */
export type AsnFlag = 'isBanCreate' | 'isBanReceive';

/** Where it is kept who changed what; apart from the list, so that a flipped flag does not read the rows again. */
export const asnChangesKey = ['asn-changes'] as const;

/** Sets one flag without the loading bar and puts the answer in place of the row; the other flag stays (ASN-013 to ASN-016). */
export async function setFlag(code: number, flag: AsnFlag, isBanned: boolean): Promise<void> {
  const { data } = await call(banAsn, { params: { asn: code }, body: { [flag]: isBanned }, isSilent: true });
  queryClient.setQueriesData<{ data: AsnRow[] }>({ queryKey: listKey('asns') }, (known) =>
    known === undefined ? undefined : { ...known, data: known.data.map((row) => (row.code === code ? data : row)) },
  );
  void queryClient.invalidateQueries({ queryKey: asnChangesKey });
}
