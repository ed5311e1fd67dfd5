import { Stack, Text } from '@mantine/core';
import type { AccountRow } from '@switchyard/contract/accounts';
import {
  handOverKinds,
  namedBelongings,
  type Belongings,
  type BelongingsSummary,
  type HandOverKind,
  type HandOverTo,
} from '@switchyard/contract/belongings';
import { listAccountsPage, type PagedAccount } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { BelongingsList, isEmpty, kindNames } from '../../../shared/accounts/belongings-list.tsx';
import { call, inBackground } from '../../../shared/api/call.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import type { OptionSource } from '../../../shared/ui/option-source.ts';
import { staff, type AccountPanel } from '../account-panels.ts';

const all = 'all';

type Owners = Partial<Record<HandOverKind | typeof all, string | undefined>>;

type Props = {
  panel: AccountPanel;
  account: Pick<AccountRow, 'id' | 'name'>;
  act: 'delete' | 'deny';
  onChoose: (to: HandOverTo | undefined) => void;
  /** Runs once there is something to choose, or nothing, or it could not be loaded. */
  onLoaded: () => void;
};

/** Staff accounts with access, which may get what others leave behind. */
export const newOwners: OptionSource<PagedAccount> = {
  key: [...listKey('users'), 'owners'],
  // One that was chosen came from a search, so its name is known.
  load: async ({ search }, signal) => {
    const query = { panel: staff.panel, access: 'granted', search, orderBy: 'keyName' } as const;
    const { data, pagination } = await call(listAccountsPage, { query, signal, ...inBackground });
    return { rows: data, total: pagination.total ?? data.length };
  },
  optionOf: ({ id, name }) => ({ value: String(id), name }),
};

/** Belongings of an account that is about to leave, and who gets them: one account, or one for each kind. */
export function BelongingsChoice({ panel, account, act, onChoose, onLoaded }: Props) {
  const { data, error } = useQuery({
    queryKey: ['belongings', panel.panel, account.id],
    queryFn: ({ signal }) => panel.belongings(account.id, signal),
    staleTime: 0,
  });
  const [owners, setOwners] = useState<Owners>({});
  const isLoaded = error !== null || data !== undefined;
  useEffect(() => {
    if (isLoaded) onLoaded();
  }, [isLoaded, onLoaded]);
  if (error !== null) return <p className="note">What belongs to the account could not be loaded. {error.message}</p>;
  if (data === undefined) return <p className="note">Loading what belongs to the account ...</p>;
  const summary = summaryOf(data);
  if (isEmpty(summary)) return null;

  const choose = (kind: HandOverKind | typeof all, owner: string | undefined): void => {
    const next = kind === all ? { [all]: owner } : { ...owners, [all]: undefined, [kind]: owner };
    setOwners(next);
    onChoose(handOverOf(next));
  };
  const kinds = handOverKinds.filter((kind) => data[kind].length > 0);
  const fields = kinds.length > 1 ? ([all, ...kinds] as const) : kinds;
  return (
    <Stack gap="xs" mt="md" style={{ overflowWrap: 'anywhere' }}>
      <BelongingsList belongings={summary} act={act} />
      {kinds.length > 0 && <Text size="sm">New owner:</Text>}
      {fields.map((kind) => (
        <Dropdown
          key={kind}
          label={kind === all ? 'New owner of everything' : `New owner of ${kindNames[kind].toLowerCase()}`}
          options={newOwners}
          hides={(id) => Number(id) === account.id}
          value={owners[kind]}
          onChange={(owner) => choose(kind, owner)}
          placeholder={kind === all ? 'Everything: nobody' : `${kindNames[kind]}: nobody`}
          width={280}
        />
      ))}
    </Stack>
  );
}

function summarize(things: readonly { name: string | null }[]) {
  const names = things.flatMap(({ name }) => (name === null || name === '' ? [] : [name]));
  return { count: things.length, names: names.slice(0, namedBelongings) };
}

/** The summary that a bulk change of one account would get. */
function summaryOf({ personal_tokens, views, boards, tiles, service_accounts, rules, schedules, silences }: Belongings): BelongingsSummary {
  return {
    views: { ...summarize(views), default_of: views.reduce((sum, view) => sum + view.default_of, 0) },
    boards: summarize(boards),
    tiles: summarize(tiles),
    service_accounts: summarize(service_accounts),
    rules: summarize(rules),
    schedules: summarize(schedules),
    silences: summarize(silences),
    personal_tokens,
  };
}

function handOverOf({ all: everything, ...kinds }: Owners): HandOverTo | undefined {
  if (everything !== undefined) return Number(everything);
  const chosen = Object.entries(kinds).flatMap(([kind, owner]) => (owner === undefined ? [] : [[kind, Number(owner)] as const]));
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}
