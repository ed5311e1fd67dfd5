import { Button, Loader } from '@mantine/core';
import { asnToggleTexts, type AsnRow } from '@switchyard/contract/asns';
import { useMutation } from '@tanstack/react-query';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { setFlag, type AsnFlag } from './asn-cache.ts';

const flags = {
  isBanCreate: { name: 'Create', of: (row: AsnRow) => row.is_ban_create },
  isBanReceive: { name: 'Receive', of: (row: AsnRow) => row.is_ban_receive },
} as const;

/**
 * Shows whether an autonomous system is banned, and flips it (ASN-011 to ASN-014, AMB-200). The new state shows at once;
 * a refusal brings the old one back.
 */
export function BanToggle({ row, flag }: { row: AsnRow; flag: AsnFlag }) {
  const tabIndex = useGridTabIndex();
  const { name, of } = flags[flag];
  const saving = useMutation({ mutationFn: (isBanned: boolean) => setFlag(row.code, flag, isBanned) });
  const isBanned = saving.isPending ? saving.variables : of(row);
  const text = isBanned ? asnToggleTexts.banned : asnToggleTexts.free;
  return (
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
  );
}
