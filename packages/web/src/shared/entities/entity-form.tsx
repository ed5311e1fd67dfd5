import { Input, SegmentedControl, Switch } from '@mantine/core';
import { labelOf } from '@switchyard/contract/entity';
import { capitalised } from '@switchyard/contract/text-fields';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { queryClient } from '../api/query-client.ts';
import { isSame, mergeFields, type ComparedField } from '../form/conflict.ts';
import { EntityForm } from '../form/entity-form.tsx';
import { EntityPage, LoadedEntity, type EntityQuery } from '../form/entity-page.tsx';
import { useDraft, type SimpleModel } from '../form/use-draft.ts';
import { useEntityEdit } from '../form/use-entity-edit.ts';
import { useGoBack } from '../navigation.tsx';
import { notify } from '../ui/notifications/notification-center.ts';
import { Dropdown } from '../ui/pick-list.tsx';

/*
 * The form that creates and edits an entity. Its values are the fields of the contract, by their names on the wire, so they are sent as they
 * are, and a key of a 422 response names its field. `defineForm` takes what the contract does not say:
 *
 * - `start`: the values of a new entity. An id of which none is chosen is 0.
 * - `valuesOf`: the fields of a stored row, where the row has more of them than the form, e.g. `view` with its name for `view_id`.
 * - `required`: fields without which nothing can be saved. The server checks the same, so this only names them earlier.
 * - `compared`: how fields are told apart in a conflict, where that is not their value. Null for a field that belongs to another one.
 * - `calls`: the calls of the contract.
 *
 * `CreatePage` and `EditPage` show the form with its save bar, conflicts and the guard against leaving. Their children say how it looks:
 *
 *     <EditPage form={scheduleForm}>{({ field }) => <NameField maxLength={100} {...field('name')} />}</EditPage>
 *
 * `field(name)` has all that a control takes: label, value, error and `onChange`. `ChoiceField`, `SegmentField` and `SwitchField` take it,
 * and show an error of their field.
 *
 * A form of several steps, with tabs, secrets or questions before saving uses `model` and `query` of its definition with `useDraft` and
 * `useEntityEdit`, as these pages do.
 */

type Stored = { readonly id: number; readonly name: string; readonly version: number };
type Data<Entity> = Promise<{ data: Entity }>;
/** What a save over a stored version adds to its call. */
type SaveOptions = { params: { id: number }; ifMatch: number; showsFailureItself: (status: number | null) => boolean };
type Overrides<Values> = { readonly [Field in keyof Values]?: Partial<ComparedField<Values>> | null };

type FormDefinition<Entity, Values> = {
  /** In texts, e.g. `schedule`. */
  readonly noun: string;
  readonly list: { readonly listTitle: string; readonly listPath: string };
  readonly schema: z.ZodType<Entity>;
  readonly fields: { readonly [Field in keyof Values]: z.ZodType<Values[Field]> };
  readonly start: Values;
  readonly valuesOf: (entity: Entity) => Values;
  readonly required: readonly (keyof Values & string)[];
  /** `versions` are those that are compared, for names of ids in them. */
  readonly compared?: (versions: readonly Entity[]) => Overrides<Values>;
  readonly calls: {
    readonly read: (input: { params: { id: number }; signal: AbortSignal }) => Data<Entity>;
    readonly create: (input: { body: Values }) => Data<Entity>;
    readonly update: (input: SaveOptions & { body: Values }) => Data<Entity>;
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
const textOf = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value));

/** The form of an entity from its declaration. */
export function defineForm<Entity extends Stored, Values extends Record<string, unknown>>({
  start,
  valuesOf,
  required,
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
  return {
    ...form,
    model: {
      noun,
      schema,
      valuesOf: (entity) => (entity === undefined ? start : valuesOf(entity)),
      fieldsOf: (versions) => {
        const overrides: Overrides<Values> = compared?.(versions) ?? {};
        return names.flatMap((name) => {
          const override = overrides[name];
          return override === null ? [] : [comparedField(name, override ?? {})];
        });
      },
      merge: mergeFields,
      missingOf: (values) => required.filter((name) => isEmpty(values[name])).map((name) => labelOf(fields[name])),
      fieldOf: (key) => names.find((name) => name === key.split('.')[0]),
    },
    query,
    save: async (values, base) => {
      if (base === undefined) return (await calls.create({ body: values })).data;
      return (await calls.update({ params: { id: base.id }, body: values, ifMatch: base.version, ...showingConflict })).data;
    },
    cache: (entity) => queryClient.setQueryData<Entity>(query(entity.id).queryKey, entity),
  };
}

/** What a control takes of its field. */
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

type PageProps<Entity, Values> = {
  form: EntityFormModel<Entity, Values>;
  children: (fields: FormFields<Entity, Values>) => ReactNode;
};

/** The page that creates an entity and goes back to the list. */
export function CreatePage<Entity extends Stored, Values extends Record<string, unknown>>(props: PageProps<Entity, Values>) {
  return (
    <EntityPage {...props.form.list}>
      <Form {...props} entity={undefined} />
    </EntityPage>
  );
}

/** The page that edits the entity that the address names and goes back to the list. */
export function EditPage<Entity extends Stored, Values extends Record<string, unknown>>(props: PageProps<Entity, Values>) {
  const { noun, list, query } = props.form;
  return (
    <LoadedEntity noun={noun} {...list} query={query}>
      {(entity) => <Form {...props} entity={entity} />}
    </LoadedEntity>
  );
}

type FormProps<Entity, Values> = PageProps<Entity, Values> & { entity: Entity | undefined };

function Form<Entity extends Stored, Values extends Record<string, unknown>>({ form, entity, children }: FormProps<Entity, Values>) {
  const { noun, list, model, save, cache, refresh, fields } = form;
  const goBack = useGoBack();
  const draft = useDraft(model, entity);
  const edit = useEntityEdit(model, draft, {
    entity,
    save,
    onReplaced: cache,
    onSaved: ({ name }) => {
      notify({ type: 'success', message: `${capitalised(noun)} "${name}" ${entity === undefined ? 'created' : 'saved'}` });
      void refresh();
      goBack(list.listPath);
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
  const [label, saveLabel] = entity === undefined ? [`New ${noun}`, 'Create'] : [`${capitalised(noun)} ${entity.name}`, 'Save'];
  return (
    <EntityForm edit={edit} label={label} saveLabel={saveLabel}>
      {children({ entity, values: draft.values, field })}
    </EntityForm>
  );
}

type ChoiceProps<Value> = FieldControl<Value> & {
  options: readonly { value: Value; name: string }[];
  width: number;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
  /** Below the control. */
  children?: ReactNode;
};

/** Picks one value out of a list. A value that is not among the options shows as none. */
export function ChoiceField<Value extends string | number>({
  label,
  value,
  error,
  onChange,
  options,
  children,
  ...props
}: ChoiceProps<Value>) {
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <Dropdown
        label={label}
        width={props.width}
        options={options.map((option) => ({ value: String(option.value), name: option.name }))}
        value={options.some((option) => option.value === value) ? String(value) : undefined}
        onRetry={props.onRetry}
        onChange={(text) => {
          const option = options.find((one) => String(one.value) === text);
          if (option !== undefined) onChange(option.value);
        }}
      />
      {children}
    </Input.Wrapper>
  );
}

type SegmentProps<Value extends string> = FieldControl<Value> & { options: readonly { value: Value; label: string }[] };

/** Picks one of a few values, which are all shown. */
export function SegmentField<Value extends string>({ label, value, error, onChange, options }: SegmentProps<Value>) {
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <SegmentedControl fullWidth size="xs" aria-label={label} data={[...options]} value={value} onChange={onChange} />
    </Input.Wrapper>
  );
}

/** A switch with an explanation. */
export function SwitchField({ value, onChange, ...props }: FieldControl<boolean> & { description: string }) {
  return <Switch {...props} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />;
}
