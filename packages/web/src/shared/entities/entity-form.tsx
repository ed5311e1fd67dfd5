import { labelOf } from '@switchyard/contract/entity';
import { capitalised } from '@switchyard/contract/text-fields';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { queryClient } from '../api/query-client.ts';
import { isSame, mergeFields, type ComparedField } from '../form/conflict.ts';
import { SaveBarForm } from '../form/save-bar-form.tsx';
import { EntityPage, LoadedEntity, type EntityQuery } from '../form/entity-page.tsx';
import { useDraft, type SimpleModel } from '../form/use-draft.ts';
import { useEntityEdit, type EditOptions } from '../form/use-entity-edit.ts';
import { useGoBack } from '../navigation.tsx';
import { notify } from '../ui/notifications/notification-center.ts';
import { StatePanel } from '../ui/state-panel.tsx';

/*
 * The form that creates and edits an entity. Its values are the fields of the contract, by their names on the wire, so they are sent as they
 * are, and a key of a 422 response names its field. `defineForm` takes what the contract does not say:
 *
 * - `start`: the values of a new entity. An id of which none is chosen is 0.
 * - `valuesOf`: the row with its fields as the form has them, e.g. with `view_id` for `view`. The form takes those that `start` has.
 * - `required`: fields without which nothing can be saved. The server checks the same, so this only names them earlier. A number that its
 *   field does not take is named by itself.
 * - `incomplete`: further such fields, where that depends on other fields or on what is stored.
 * - `compared`: how fields are told apart in a conflict, where that is not their value. Null for a field that belongs to another one.
 * - `calls`: the calls of the contract. `update` also gets the stored version, for fields that are sent only if they changed.
 *
 * `CreatePage` and `EditPage` show the form with its save bar, conflicts and the guard against leaving. Their children say how it looks:
 *
 *     <EditPage form={scheduleForm}>{({ field }) => <NameField maxLength={100} {...field('name')} />}</EditPage>
 *
 * `field(name)` has all that a control takes: label, value, error and `onChange`. `ChoiceField`, `SegmentField`, `NumberField` and
 * `SwitchField` take it, and show an error of their field.
 *
 * A page with more than the form, such as tabs, shows `EditForm` in it. A form of several steps uses `model` and `query` of its definition
 * with `useDraft` and `useEntityEdit`, as `EditForm` does.
 */

type Stored = { readonly id: number; readonly name: string; readonly version: number };
type Data<Entity> = Promise<{ data: Entity }>;
/** Additions of a save over a stored version to its call. */
type SaveOptions = { params: { id: number }; ifMatch: number; showsFailureItself: (status: number | null) => boolean };
type Overrides<Values> = { readonly [Field in keyof Values]?: Partial<ComparedField<Values>> | null };

type FormDefinition<Entity, Values> = {
  /** In texts, e.g. `schedule`. */
  readonly noun: string;
  readonly list: { readonly listTitle: string; readonly listPath: string };
  readonly schema: z.ZodType<Entity>;
  readonly fields: { readonly [Field in keyof Values]: z.ZodType };
  readonly start: Values;
  readonly valuesOf: (entity: Entity) => Values;
  readonly required: readonly (keyof Values & string)[];
  readonly incomplete?: (values: Values, stored: Entity | undefined) => readonly (keyof Values & string)[];
  /** `versions` are those that are compared, for names of ids in them. */
  readonly compared?: (versions: readonly Entity[]) => Overrides<Values>;
  readonly calls: {
    readonly read: (input: { params: { id: number }; signal: AbortSignal }) => Data<Entity>;
    readonly create: (input: { body: Values }) => Data<Entity>;
    readonly update: (input: SaveOptions & { body: Values }, stored: Entity) => Data<Entity>;
  };
  /** Reloads the lists that show the entity. */
  readonly refresh: () => Promise<void>;
};

/** How an entity is edited. */
export type EntityFormModel<Entity, Values> = Pick<FormDefinition<Entity, Values>, 'noun' | 'list' | 'fields' | 'refresh'> & {
  readonly model: SimpleModel<Entity, Values>;
  readonly query: (id: number) => EntityQuery<Entity>;
  readonly save: (values: Values, base: Entity | undefined) => Promise<Entity>;
  /** Replaces the cached entity by the version of somebody else. */
  readonly cache: (entity: Entity) => void;
};

/** The form shows a conflict, so that no notification does. */
const showingConflict = { showsFailureItself: (status: number | null): boolean => status === 412 };

const isEmpty = (value: unknown): boolean => value === 0 || isSame(value, []) || (typeof value === 'string' && value.trim() === '');
const isWrongNumber = (field: z.ZodType, value: unknown): boolean => typeof value === 'number' && !field.safeParse(value).success;
const textOf = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value));

/** A secret of a form in a conflict: that a new one was entered. */
export const maskedSecret = (secret: string): string => (secret === '' ? '' : 'A new one');

/** The form of an entity from its declaration. */
export function defineForm<Entity extends Stored, Values extends Record<string, unknown>>({
  start,
  valuesOf,
  required,
  incomplete,
  compared,
  calls,
  ...form
}: FormDefinition<Entity, Values>): EntityFormModel<Entity, Values> {
  const { noun, schema, fields } = form;
  const names = Object.keys(start).filter((name): name is Extract<keyof Values, string> => name in start);
  /** White space around a text is no change, because the server cuts it off. */
  const comparedField = (name: keyof Values & string, override: Partial<ComparedField<Values>>): ComparedField<Values> => {
    const valueOf = (values: Values): unknown => {
      const value: unknown = values[name];
      return typeof value === 'string' ? value.trim() : value;
    };
    return { label: labelOf(fields[name]), value: valueOf, text: (values) => textOf(valueOf(values)), ...override };
  };
  const query = (id: number): EntityQuery<Entity> => ({
    queryKey: [noun, id],
    queryFn: async ({ signal }) => (await calls.read({ params: { id }, signal })).data,
    // Never from the cache, because a form starts with it.
    gcTime: 0,
    staleTime: Infinity,
  });
  const ownValues = (entity: Entity): Values => {
    const values = { ...start };
    const stored = valuesOf(entity);
    for (const name of names) values[name] = stored[name];
    return values;
  };
  return {
    ...form,
    model: {
      noun,
      schema,
      valuesOf: (entity) => (entity === undefined ? start : ownValues(entity)),
      fieldsOf: (versions) => {
        const overrides: Overrides<Values> = compared?.(versions) ?? {};
        return names.flatMap((name) => {
          const override = overrides[name];
          return override === null ? [] : [comparedField(name, override ?? {})];
        });
      },
      merge: mergeFields,
      missingOf: (values, stored) => {
        const incompleteNames = incomplete?.(values, stored) ?? [];
        const isMissing = (name: keyof Values & string): boolean =>
          (required.includes(name) && isEmpty(values[name])) || incompleteNames.includes(name) || isWrongNumber(fields[name], values[name]);
        return names.filter(isMissing).map((name) => labelOf(fields[name]));
      },
      // A key may lead into a field, or to a field within a part of the body.
      fieldOf: (key) => names.find((name) => key.split('.').includes(name)),
    },
    query,
    save: async (values, base) => {
      if (base === undefined) return (await calls.create({ body: values })).data;
      const options = { params: { id: base.id }, ifMatch: base.version, ...showingConflict };
      return (await calls.update({ ...options, body: values }, base)).data;
    },
    cache: (entity) => queryClient.setQueryData<Entity>(query(entity.id).queryKey, entity),
  };
}

/** Properties of a control that follow from its field. */
export type FieldControl<Value> = {
  name: string;
  label: string;
  value: Value;
  error: string | undefined;
  onChange: (value: Value) => void;
};

/** The unsaved values of a form, for the controls that edit them. */
export type FormFields<Entity, Values> = {
  /** Undefined for a new one. */
  readonly entity: Entity | undefined;
  readonly values: Values;
  readonly field: <Name extends keyof Values & string>(name: Name) => FieldControl<Values[Name]>;
};

type FormProps<Entity, Values> = {
  form: EntityFormModel<Entity, Values>;
  /** Undefined for a new one. */
  entity: Entity | undefined;
  /** The values with which a new one begins, where they are others than usual. */
  start?: Values;
  /** False for an account that may only look. */
  maySave?: boolean;
  /** The question before saving. */
  confirm?: EditOptions<Entity, Values>['confirm'];
  /** Called after a save. By default, it goes back to the list. */
  onSaved?: (saved: Entity) => void;
  children: (fields: FormFields<Entity, Values>) => ReactNode;
};
type PageProps<Entity, Values> = Omit<FormProps<Entity, Values>, 'entity'>;

/** The page that creates an entity and goes back to the list. `denied`: why the account may not create any. */
export function CreatePage<Entity extends Stored, Values extends Record<string, unknown>>({
  denied = null,
  ...props
}: PageProps<Entity, Values> & { denied?: string | null }) {
  const { noun, list } = props.form;
  return (
    <EntityPage {...list}>
      {denied === null ? (
        <EditForm {...props} entity={undefined} />
      ) : (
        <StatePanel icon={IconLock} title={`You cannot create ${noun}s`}>
          {denied}
        </StatePanel>
      )}
    </EntityPage>
  );
}

/** The page that edits the entity that the address names and goes back to the list. */
export function EditPage<Entity extends Stored, Values extends Record<string, unknown>>({
  renderActions,
  ...props
}: PageProps<Entity, Values> & { renderActions?: (entity: Entity) => ReactNode }) {
  const { noun, list, query } = props.form;
  return (
    <LoadedEntity noun={noun} {...list} query={query} {...(renderActions && { renderActions })}>
      {(entity) => <EditForm {...props} entity={entity} />}
    </LoadedEntity>
  );
}

/** The form of an entity in its page. */
export function EditForm<Entity extends Stored, Values extends Record<string, unknown>>({
  form: { noun, list, model, save, cache, refresh, fields },
  entity,
  start,
  maySave = true,
  confirm,
  onSaved,
  children,
}: FormProps<Entity, Values>) {
  const goBack = useGoBack();
  const draft = useDraft(model, entity, start);
  const edit = useEntityEdit(model, draft, {
    entity,
    save,
    ...(confirm && { confirm }),
    onReplaced: cache,
    onSaved: (saved, hasMore) => {
      notify({ type: 'success', message: `${capitalised(noun)} "${saved.name}" ${draft.origin === undefined ? 'created' : 'saved'}` });
      void refresh();
      if (onSaved !== undefined) onSaved(saved);
      else if (!hasMore) goBack(list.listPath);
    },
  });
  const field = <Name extends keyof Values & string>(name: Name): FieldControl<Values[Name]> => ({
    name,
    label: labelOf(fields[name]),
    value: draft.values[name],
    error: draft.errorOf(name),
    onChange: (value) => {
      const patch: Partial<Values> = {};
      patch[name] = value;
      draft.set(patch);
    },
  });
  const [label, saveLabel] = draft.origin === undefined ? [`New ${noun}`, 'Create'] : [`${capitalised(noun)} ${draft.origin.name}`, 'Save'];
  return (
    <SaveBarForm edit={edit} label={label} saveLabel={saveLabel} maySave={maySave}>
      {children({ entity, values: draft.values, field })}
    </SaveBarForm>
  );
}
