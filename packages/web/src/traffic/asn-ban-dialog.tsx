import { Alert, Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import {
  type AsnRow,
  asnTrafficDays,
  asnTrafficPermissions,
  banReasonCharacters,
  explainAsnBan,
  getAsnTraffic,
  listAsnChanges,
  listAsns,
} from '@switchyard/contract/asns';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, failingInPlace, inBackground } from '../shared/api/call.ts';
import { asnChangesKey, BanFacts } from '../shared/blocks/ban-toggle.tsx';
import { limitProps } from '../shared/form/limited.ts';
import { useHoldsAny } from '../shared/session/use-session.ts';
import { useDisplayDate } from '../shared/time/server-time.ts';
import { Popup } from '../shared/ui/popup.tsx';
import { Writes } from '../shared/ui/read-only.tsx';
import { RetryNote } from '../shared/ui/retry.tsx';
import { groupedNumber } from '../shared/ui/text-format.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { useUnsavedWork } from '../shared/unsaved-work.ts';

type Props = { code: number; onClose: () => void };

/** Bans and frees an autonomous system where its traffic is looked at, with the reason and who changed it last. */
export default function AsnBanDialog({ code, onClose }: Props) {
  return (
    <Popup isOpen onClose={onClose} title={`Bans of AS${code}`}>
      <AsnBans code={code} />
    </Popup>
  );
}

const bansKey = (code: number) => ['asn-bans', code] as const;

function AsnBans({ code }: { code: number }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: bansKey(code),
    queryFn: async ({ signal }) => {
      const [found, changes] = await Promise.all([
        // A list finds codes alone; one code is found in names, too.
        call(listAsns, { query: { search: `${code},${code}`, limit: 1 }, signal, ...inBackground }),
        call(listAsnChanges, { query: { codes: [code] }, signal, ...inBackground }),
      ]);
      return { asn: found.data.find((row) => row.code === code) ?? null, change: changes.data[0] ?? null };
    },
  });
  const displayDate = useDisplayDate();
  if (error !== null)
    return (
      <RetryNote isRunning={isFetching} onRetry={refetch}>
        The bans could not be loaded: {error.message}
      </RetryNote>
    );
  if (data === undefined)
    return (
      <output aria-label="Loading">
        <Skeleton height={160} />
      </output>
    );
  const { asn, change } = data;
  if (asn === null) return <Text size="sm">The registry has no AS{code}.</Text>;
  const reload = async (): Promise<void> => void (await refetch());
  return (
    <Stack gap="md">
      <Text size="sm">
        <VisibleText text={asn.name} />
      </Text>
      <Group component="dl" gap="xl" m={0}>
        <BanFacts row={asn} onSaved={reload} />
      </Group>
      <Blocked code={code} />
      <Reason key={change?.reason} asn={asn} stored={change?.reason ?? ''} />
      {change !== null && (
        <Text size="sm" c="dimmed">
          Last changed {displayDate(change.at)} by <VisibleText text={change.actor?.name ?? 'somebody outside this console'} />
        </Text>
      )}
    </Stack>
  );
}

/** What bans would have blocked, for readers of requests. */
function Blocked({ code }: { code: number }) {
  const isReader = useHoldsAny(...asnTrafficPermissions);
  const { data } = useQuery({
    queryKey: ['asn-traffic', code],
    queryFn: ({ signal }) => call(getAsnTraffic, { params: { asn: code }, signal, ...inBackground }),
    enabled: isReader,
  });
  if (data === undefined) return null;
  const { create, receive } = data.data.ban;
  return (
    <Text size="sm">
      In the last {asnTrafficDays} days bans would have blocked {groupedNumber(create.requests)} requests of type create and{' '}
      {groupedNumber(receive.requests)} of type receive.
    </Text>
  );
}

/** Why the system is banned. A free one has no reason. */
function Reason({ asn, stored }: { asn: AsnRow; stored: string }) {
  const cache = useQueryClient();
  const [reason, setReason] = useState(stored);
  useUnsavedWork(reason !== stored);
  const saving = useMutation({
    mutationFn: async () => {
      await call(explainAsnBan, { params: { asn: asn.code }, body: { reason }, ...failingInPlace });
      await Promise.all([bansKey(asn.code), asnChangesKey].map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
  if (!asn.is_ban_create && !asn.is_ban_receive) return null;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <Textarea
        label="Reason"
        {...limitProps(reason, banReasonCharacters)}
        minRows={2}
        maxRows={6}
        autosize
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {saving.error !== null && (
        <Alert color="danger" variant="light" role="alert" mt="xs">
          <VisibleText text={saving.error.message} />
        </Alert>
      )}
      <Group justify="flex-end" mt="xs">
        <Writes>
          <Button type="submit" size="xs" loading={saving.isPending} disabled={reason === stored}>
            Save reason
          </Button>
        </Writes>
      </Group>
    </form>
  );
}
