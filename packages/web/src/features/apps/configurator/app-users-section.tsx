import { Badge } from '@mantine/core';
import type { PickedBuyer } from '@switchyard/contract/pick-lists';
import { IconArrowBackUp, IconUserMinus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { AccessMark } from '../../../shared/accounts/access-mark.tsx';
import { buyerSource } from '../../../shared/accounts/pick-sources.ts';
import { RoleBadge } from '../../../shared/accounts/role-badge.tsx';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { type OptionSource, useLoadedRow } from '../../../shared/ui/option-source.ts';
import { PickMany } from '../../../shared/ui/pick-list.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { idSet } from './app-model.ts';
import classes from './app-users.module.css';
import { FormSection } from '../../../shared/form/form-section.tsx';
import type { AppDraft } from './use-app-draft.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { ShortRows } from '../../../shared/ui/short-rows.tsx';

type Props = { form: AppDraft; /** Whether the account may change who has access. */ mayChange: boolean };

/** Buyers with access to the app, as they will be saved. */
export function AppUsersSection({ form, mayChange }: Props) {
  const { id: appId, version } = form.origin ?? {};
  const source = useMemo(
    () => describedBuyers(appId === undefined || version === undefined ? undefined : { id: appId, version }),
    [appId, version],
  );
  const findOffered = useLoadedRow(source);
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
    const chosenBuyers = ids.flatMap((id) => findOffered(String(id)) ?? []);
    setAddedBuyers([...newcomers, ...chosenBuyers.filter(({ id }) => !newcomers.some((buyer) => buyer.id === id))]);
    set([...userIds, ...ids]);
  }
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
          <PickMany
            label="Add users"
            options={source}
            hides={(id) => chosenIds.has(Number(id)) || loadedIds.has(Number(id))}
            value={nobody}
            onChange={(ids) => add(ids.map(Number))}
            placeholder="Select buyers"
            width="100%"
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

/** Buyers who do not have the app, with what tells them apart. */
function describedBuyers(except: Parameters<typeof buyerSource>[0]): OptionSource<PickedBuyer> {
  const source = buyerSource(except);
  return { ...source, optionOf: ({ id, name, email, role }) => ({ value: String(id), name: `${name} · ${email} · ${role}` }) };
}

const nobody: readonly string[] = [];
