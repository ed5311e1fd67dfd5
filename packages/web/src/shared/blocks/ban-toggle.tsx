import { Button, Loader } from '@mantine/core';
import { asnToggleTexts, banAsn, type AsnRow } from '@switchyard/contract/asns';
import { useMutation } from '@tanstack/react-query';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { listKey } from '../listing/list-key.ts';
import { Fact } from '../ui/fact.tsx';
import { Writes } from '../ui/read-only.tsx';

/** The two flags of an autonomous system, as they are called on the wire. */
type AsnFlag = 'isBanCreate' | 'isBanReceive';

/** Key of the last changes; apart from the list, so that switching a flag does not reload the rows. */
export const asnChangesKey = ['asn-changes'] as const;

const flags = {
  isBanCreate: { name: 'Create', of: (row: AsnRow) => row.is_ban_create },
  isBanReceive: { name: 'Receive', of: (row: AsnRow) => row.is_ban_receive },
} as const;

/**
 * Shows whether an autonomous system is banned, and switches it. The new state shows at once (optimistic update); a failure
 * restores the old one. `onSaved` reads what shows the flag elsewhere again; the new state shows until then.
 */
export function BanToggle({ row, flag, onSaved }: { row: AsnRow; flag: AsnFlag; onSaved?: () => Promise<void> }) {
  const tabIndex = useGridTabIndex();
  const { name, of } = flags[flag];
  const saving = useMutation({
    mutationFn: async (isBanned: boolean) => {
      await setFlag(row.code, flag, isBanned);
      await onSaved?.();
    },
  });
  const isBanned = saving.isPending ? saving.variables : of(row);
  const text = isBanned ? asnToggleTexts.banned : asnToggleTexts.free;
  return (
    <Writes>
      <Button
        size="compact-xs"
        miw={72}
        variant={isBanned ? 'light' : 'default'}
        color={isBanned ? 'warning' : 'neutral'}
        aria-label={`${name} of AS${row.code}: ${text}`}
        aria-disabled={saving.isPending || undefined}
        aria-busy={saving.isPending || undefined}
        data-banned={isBanned || undefined}
        leftSection={saving.isPending ? <Loader size={10} color="currentColor" aria-hidden data-testid="saving" /> : undefined}
        {...(tabIndex === undefined ? {} : { tabIndex })}
        onClick={() => {
          if (!saving.isPending) saving.mutate(!isBanned);
        }}
      >
        {text}
      </Button>
    </Writes>
  );
}

/** Both toggles of a system, within a `dl`. */
export function BanFacts({ row, onSaved }: { row: AsnRow; onSaved: () => Promise<void> }) {
  return (
    <>
      <Fact name="Create">
        <BanToggle row={row} flag="isBanCreate" onSaved={onSaved} />
      </Fact>
      <Fact name="Receive">
        <BanToggle row={row} flag="isBanReceive" onSaved={onSaved} />
      </Fact>
    </>
  );
}

/** Saves one flag without the loading bar and replaces the row with the response; the other flag stays. */
async function setFlag(code: number, flag: AsnFlag, isBanned: boolean): Promise<void> {
  const { data } = await call(banAsn, { params: { asn: code }, body: { [flag]: isBanned }, isSilent: true });
  queryClient.setQueriesData<{ data: AsnRow[] }>({ queryKey: listKey('asns') }, (cachedPage) =>
    cachedPage === undefined ? undefined : { ...cachedPage, data: cachedPage.data.map((row) => (row.code === code ? data : row)) },
  );
  void queryClient.invalidateQueries({ queryKey: asnChangesKey });
}
