import { Badge } from '@mantine/core';
import { listPickBuyers, type PickedBuyer } from '@switchyard/contract/pick-lists';
import { IconArrowBackUp, IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AccessMark } from '../../../shared/accounts/access-mark.tsx';
import { RoleBadge } from '../../../shared/accounts/role-badge.tsx';
import { call } from '../../../shared/api/call.ts';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { PickMany } from '../../../shared/ui/pick-list.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { idSet } from './app-model.ts';
import classes from './app-users.module.css';
import { FormSection } from '../../../shared/form/form-section.tsx';
import type { AppDraft } from './use-app-draft.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { ShortRows } from '../../../shared/ui/short-rows.tsx';
import { RetryNote } from '../../../shared/ui/retry.tsx';

type Props = { form: AppDraft; /** Whether the account may change who has access. */ mayChange: boolean };

/** Buyers with access to the app, as they will be saved. */
export function AppUsersSection({ form, mayChange }: Props) {
  const buyers = useQuery({
    queryKey: ['buyers', 'list'],
    queryFn: ({ signal }) => call(listPickBuyers, { signal, isSilent: true }),
    enabled: mayChange,
  });
  const loadedBuyers = form.origin?.buyers ?? [];
  const [addedBuyers, setAddedBuyers] = useState<readonly PickedBuyer[]>([]);
  const { userIds } = form.values;
  const [chosenIds, loadedIds] = [new Set(userIds), new Set(loadedBuyers.map(({ id }) => id))];
  const newcomers = addedBuyers.filter(({ id }) => chosenIds.has(id) && !loadedIds.has(id));
  // A buyer who is marked as removed stays in the list, where the mark can be undone.
  const listedBuyers: ListedBuyer[] = [
    ...loadedBuyers.map((buyer): ListedBuyer => ({ buyer, mark: chosenIds.has(buyer.id) ? null : 'removed' })),
    ...newcomers.map((buyer): ListedBuyer => ({ buyer, mark: 'new' })),
  ];
  const toggle = (id: number): void => set(chosenIds.has(id) ? userIds.filter((other) => other !== id) : [...userIds, id]);
  const set = (ids: readonly number[]): void => form.pick('userIds', idSet(ids));

  function add(ids: readonly number[]): void {
    const chosenBuyers = buyers.data?.data.filter(({ id }) => ids.includes(id)) ?? [];
    setAddedBuyers([...newcomers, ...chosenBuyers.filter(({ id }) => !newcomers.some((buyer) => buyer.id === id))]);
    set([...userIds, ...ids]);
  }
  const free = (buyers.data?.data ?? []).filter(({ id }) => !chosenIds.has(id) && !loadedIds.has(id));
  const error = form.errorOf('userIds');
  const users = useFocusFallback<HTMLDivElement>(['[role="combobox"]']);

  return (
    <FormSection
      title="App users"
      summary="Buyers who may use the app. Changes take effect when the app is saved."
      isLocked={form.isArchived}
    >
      <div ref={users} className={classes['users']}>
        {listedBuyers.length === 0 ? (
          <p className="note">No buyer has access to this app.</p>
        ) : (
          <ShortRows
            rows={listedBuyers}
            noun="buyers"
            textOf={({ buyer }) => `${buyer.name} ${buyer.email} #${buyer.id}`}
            isMarked={({ mark }) => mark !== null}
          >
            {(shownBuyers) => (
              <ul className={classes['list']}>
                {shownBuyers.map(({ buyer, mark }) => (
                  <AppUser key={buyer.id} buyer={buyer} mark={mark} onChange={mayChange ? () => toggle(buyer.id) : undefined} />
                ))}
              </ul>
            )}
          </ShortRows>
        )}
        {mayChange && (
          <AddUsers
            free={free}
            state={buyers.isError ? 'failed' : buyers.isPending ? 'loading' : 'ready'}
            onAdd={add}
            onRetry={() => void buyers.refetch()}
          />
        )}
        {error !== undefined && (
          <p className={classes['error']} role="alert">
            {error}
          </p>
        )}
      </div>
    </FormSection>
  );
}

type ListedBuyer = { buyer: PickedBuyer; mark: 'removed' | 'new' | null };

type AppUserProps = ListedBuyer & {
  /** Marks as removed, undoes the mark, or takes a new one back. */ onChange: (() => void) | undefined;
};

function AppUser({ buyer, mark, onChange }: AppUserProps) {
  const isRemoved = mark === 'removed';
  const action = isRemoved ? `Undo the removal of ${withMarks(buyer.name)}` : `Remove ${withMarks(buyer.name)}`;
  return (
    <li className={classes['user']} data-mark={mark ?? undefined}>
      <span className={classes['roles']}>
        {buyer.role
          .split(', ')
          .filter((badge) => badge !== '')
          .map((badge) => (
            <RoleBadge key={badge} panel="buyer" badge={badge} />
          ))}
      </span>
      <span className={classes['who']}>
        <span className={classes['name']}>
          <VisibleText text={buyer.name} />
        </span>
        <span className={classes['email']}>
          <VisibleText text={buyer.email} />
        </span>
      </span>
      <span className={classes['id']}>#{buyer.id}</span>
      <span className={classes['state']}>
        {mark !== null && (
          <Badge size="md" color={isRemoved ? 'danger' : 'success'}>
            {isRemoved ? 'Removed on save' : 'New'}
          </Badge>
        )}
        {/* Access to the buyer panel, which is not changed here. */}
        <AccessMark hasAccess={buyer.has_access} text={buyer.has_access ? 'Account has access' : 'Account has no access'} />
      </span>
      {onChange !== undefined && (
        <RowAction
          icon={isRemoved ? IconArrowBackUp : IconUserMinus}
          label={action}
          color={isRemoved ? 'accent' : 'neutral'}
          onClick={onChange}
        />
      )}
    </li>
  );
}

type AddUsersProps = {
  free: readonly PickedBuyer[];
  state: 'loading' | 'failed' | 'ready';
  onAdd: (ids: readonly number[]) => void;
  onRetry: () => void;
};

/** Offers the buyers who are not in the list yet; choosing one adds it. */
function AddUsers({ free, state, onAdd, onRetry }: AddUsersProps) {
  if (state === 'failed') {
    return <RetryNote onRetry={onRetry}>The buyers could not be loaded.</RetryNote>;
  }
  return (
    <PickMany
      label="Add users"
      options={free.map(({ id, name, email, role }) => ({ value: String(id), name: `${name} · ${email} · ${role}` }))}
      value={nobody}
      onChange={(ids) => onAdd(ids.map(Number))}
      placeholder={state === 'loading' ? 'Loading...' : 'Select buyers'}
      width="100%"
      isDisabled={state === 'loading'}
    />
  );
}

const nobody: readonly string[] = [];
