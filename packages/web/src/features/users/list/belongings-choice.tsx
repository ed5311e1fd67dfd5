import { Stack, Text } from '@mantine/core';
import type { AccountRow } from '@switchyard/contract/accounts';
import { handOverKinds, type Belongings, type HandOverKind, type HandOverTo } from '@switchyard/contract/belongings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import type { PickOption } from '../../../shared/ui/pick-options.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { staff, type AccountPanel } from '../account-panels.ts';

const kindNames: Readonly<Record<HandOverKind, string>> = {
  views: 'Shared views',
  tiles: 'Shared tiles',
  service_accounts: 'Service accounts',
  rules: 'Alert rules',
};

const all = 'all';

type Owners = Partial<Record<HandOverKind | typeof all, string | undefined>>;

type Props = {
  panel: AccountPanel;
  account: Pick<AccountRow, 'id' | 'name'>;
  act: 'delete' | 'deny';
  onChoose: (to: HandOverTo | undefined) => void;
};

/** Staff accounts with access that may get what others leave behind; those that leave are none. */
export function useNewOwners(isLeaving: (id: number) => boolean): PickOption<string>[] {
  const { data: accounts = [] } = useQuery({ queryKey: ['belongings', 'owners'], queryFn: ({ signal }) => staff.list(signal) });
  return accounts.filter(({ id, hasAccess }) => hasAccess && !isLeaving(id)).map(({ id, name }) => ({ value: String(id), name }));
}

/** What hangs on an account that is about to leave, and who gets it: one account, or one for each kind. */
export function BelongingsChoice({ panel, account, act, onChoose }: Props) {
  const { data, error } = useQuery({
    queryKey: ['belongings', panel.panel, account.id],
    queryFn: ({ signal }) => panel.belongings(account.id, signal),
    staleTime: 0,
  });
  const options = useNewOwners((id) => id === account.id);
  const [owners, setOwners] = useState<Owners>({});
  if (error !== null) return <p className="note">What belongs to the account could not be loaded. {error.message}</p>;
  if (data === undefined) return <p className="note">Loading what belongs to the account ...</p>;
  const lines = describe(data, act);
  if (lines.length === 0) return null;

  const choose = (kind: HandOverKind | typeof all, owner: string | undefined): void => {
    const next = kind === all ? { [all]: owner } : { ...owners, [all]: undefined, [kind]: owner };
    setOwners(next);
    onChoose(handOverOf(next));
  };
  const kinds = handOverKinds.filter((kind) => data[kind].length > 0);
  const fields = kinds.length > 1 ? ([all, ...kinds] as const) : kinds;
  return (
    <Stack gap="xs" mt="md" style={{ overflowWrap: 'anywhere' }}>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {lines.map((line) => (
          <li key={line}>
            <VisibleText text={line} />
          </li>
        ))}
      </ul>
      {kinds.length > 0 && <Text size="sm">New owner:</Text>}
      {fields.map((kind) => (
        <Dropdown
          key={kind}
          label={kind === all ? 'New owner of everything' : `New owner of ${kindNames[kind].toLowerCase()}`}
          options={options}
          value={owners[kind]}
          onChange={(owner) => choose(kind, owner)}
          placeholder={kind === all ? 'Everything: nobody' : `${kindNames[kind]}: nobody`}
          width={280}
        />
      ))}
    </Stack>
  );
}

function handOverOf({ all: everything, ...kinds }: Owners): HandOverTo | undefined {
  if (everything !== undefined) return Number(everything);
  const chosen = Object.entries(kinds).flatMap(([kind, owner]) => (owner === undefined ? [] : [[kind, Number(owner)] as const]));
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}

/** A sentence for each kind of things that hangs on the account. */
function describe(belongings: Belongings, act: Props['act']): string[] {
  const { views, tiles, service_accounts: services, rules, schedules, silences } = belongings;
  const isDeletion = act === 'delete';
  const unless = isDeletion ? 'deleted unless handed over' : 'kept';
  const defaults = views.reduce((sum, view) => sum + view.default_of, 0);
  const parts: readonly (readonly [names: readonly (string | null)[], kind: string, what: string])[] = [
    [
      views.map(({ name }) => name),
      'Shared views',
      defaults === 0 ? unless : `${unless}; ${defaults} ${defaults === 1 ? 'person opens' : 'people open'} a list with one`,
    ],
    [tiles.map(({ name }) => name), 'Shared tiles', unless],
    [services.map(({ name }) => name), 'Service accounts', isDeletion ? unless : 'stopped unless handed over'],
    [rules.map(({ name }) => name), 'Alert rules', 'kept, without an owner if nobody is chosen'],
    [schedules.map(({ name }) => name), 'Schedules', isDeletion ? 'deleted' : 'paused'],
    [silences.map(({ name }) => name), 'Silences', isDeletion ? 'ended' : 'kept'],
  ];
  const named = parts.filter(([names]) => names.length > 0).map(([names, kind, what]) => `${kind} (${namesText(names)}): ${what}`);
  const tokens = belongings.personal_tokens;
  return tokens === 0 ? named : [...named, `API tokens (${tokens}): ${isDeletion ? 'revoked' : 'stopped'}`];
}

const shownNames = 3;

function namesText(names: readonly (string | null)[]): string {
  const known = names.filter((name) => name !== null).slice(0, shownNames);
  if (known.length === 0) return String(names.length);
  return names.length > known.length ? `${known.join(', ')} and ${names.length - known.length} more` : known.join(', ');
}
