import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { askConfirm } from '../ui/confirm.tsx';
import { changedLabels, compareStates, currentVersion, isSame, type Differences, type ThreeStates } from './conflict.ts';
import type { Draft, EntityModel } from './use-draft.ts';
import { useSaving } from './use-saving.ts';

/** A save that was rejected because somebody else saved first: their version, and what was edited here since `loadedEntity`. */
type Conflict<Entity, Values> = { readonly loadedEntity: Entity; readonly current: Entity; readonly values: Values };

/** The part of its page that an edit needs. */
export type EditOptions<Entity, Values> = {
  /** The newest stored version; undefined for a new entity. It replaces the draft unless something is unsaved. */
  readonly entity: Entity | undefined;
  /** Stores the values over `base`, whose version goes into `If-Match`; creates the entity if `base` is undefined. */
  readonly save: (values: Values, base: Entity | undefined) => Promise<Entity>;
  /** Validates everything before saving; null if something is invalid. Without it only the server validates. */
  readonly validate?: () => Promise<Values | null>;
  /** The question asked before saving; undefined to save at once. */
  readonly confirm?: (values: Values) => { readonly title: string; readonly lines: readonly string[] } | undefined;
  /**
   * Called with the saved entity after the leave guard is released: refresh what shows it, report it, open another page. `hasMore`: more was
   * edited while it was saved, so the form and the guard stay.
   */
  readonly onSaved: (entity: Entity, hasMore: boolean) => void;
  /** Called with the version of somebody else that replaced the draft. */
  readonly onReplaced?: (current: Entity) => void;
  /** Called after a save failed for a reason other than a conflict. */
  readonly onFailed?: () => void;
  /** Why the form cannot be saved, shown instead of its state; null if it can. */
  readonly lock?: string | null;
  readonly resetsOnSave?: boolean;
};

/** The state of an edit as `SaveBarForm` shows it. */
export type EntityEdit = {
  readonly noun: string;
  readonly changedFields: readonly string[];
  readonly missing: readonly string[];
  readonly errorCount: number;
  readonly unmatchedMessages: readonly string[];
  readonly lock: string | null;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly takeElement: (element: HTMLFormElement | null) => void;
  readonly submit: () => void;
  readonly discard: () => void;
  /** Increases whenever a conflict is resolved, so that controls forget what was edited. */
  readonly generation: number;
  /** The last conflict; still present while its dialog fades out. */
  readonly conflict: (Differences & { readonly isOpen: boolean }) | null;
  readonly keepEditing: () => void;
  readonly loadTheirs: () => void;
  readonly saveMine: () => void;
};

/**
 * Edits one entity in a form, new or existing: tracks what is unsaved, asks before the page is left, saves with optimistic
 * locking and lets the reader resolve a conflict. Show it with `SaveBarForm`.
 */
export function useEntityEdit<Entity extends { readonly version: number }, Values>(
  model: EntityModel<Entity, Values>,
  draft: Draft<Entity, Values>,
  { entity, save, validate, confirm, onSaved, onReplaced, onFailed, lock = null, resetsOnSave = true }: EditOptions<Entity, Values>,
): EntityEdit {
  const [conflict, setConflict] = useState<Conflict<Entity, Values> | null>(null);
  const [lastConflict, setLastConflict] = useState<Conflict<Entity, Values> | null>(null);
  const [generation, setGeneration] = useState(1);
  if (conflict !== null && conflict !== lastConflict) setLastConflict(conflict);
  const saving = useSaving(draft, { onSaved, resetsOnSave });
  const newestValues = useRef(draft.values);
  useEffect(() => {
    newestValues.current = draft.values;
  }, [draft.values]);

  const newest = entity !== undefined && entity.version > (draft.origin?.version ?? 0) ? entity : draft.origin;
  const replaceUnedited = useEffectEvent((next: Entity | undefined) => {
    if (next !== draft.origin && draft.changedFields.length === 0) draft.reset(next);
  });
  useEffect(() => replaceUnedited(newest), [newest]);

  const statesOf = ({ loadedEntity, current, values }: Conflict<Entity, Values>): ThreeStates<Values> => ({
    loaded: model.valuesOf(loadedEntity),
    theirs: model.valuesOf(current),
    mine: values,
  });
  const endConflict = (): void => {
    setConflict(null);
    setGeneration(generation + 1);
  };
  /** What was edited since `draft` was saved, merged into the saved version as into that of somebody else. */
  const editedSince = (savedEntity: Entity): Values | undefined => {
    if (isSame(newestValues.current, draft.values)) return undefined;
    return model.merge({ loaded: draft.values, theirs: model.valuesOf(savedEntity), mine: newestValues.current });
  };
  /** `resolved` is the conflict that this save resolves; somebody may save first once more. What is stored already counts as saved. */
  const store = (values: Values, base: Entity | undefined, resolvedConflict: Conflict<Entity, Values> | null = null): Promise<void> =>
    saving.store(async () => {
      try {
        const savedEntity = await save(values, base);
        if (resolvedConflict !== null) endConflict();
        return savedEntity;
      } catch (error) {
        const current = currentVersion(error, model.schema);
        // As after an own save whose answer was lost.
        if (current !== null && changedLabels(model.fieldsOf([current]), model.valuesOf(current), values).length === 0) {
          if (resolvedConflict !== null) endConflict();
          return current;
        }
        if (current === null || base === undefined) {
          setConflict(null);
          onFailed?.();
        } else setConflict({ ...(resolvedConflict ?? { loadedEntity: base, values: newestValues.current }), current });
        throw error;
      }
    }, editedSince);

  const isEnabled = lock === null && draft.changedFields.length > 0 && draft.errorCount === 0 && draft.missing.length === 0;
  const submit = async (): Promise<void> => {
    if (!isEnabled) return;
    const values = validate === undefined ? draft.values : await saving.whileBusy(validate);
    if (values === null) saving.focusFirstInvalid();
    if (values === null || values === undefined) return;
    const question = confirm?.(values);
    const action = (): Promise<void> => store(values, draft.origin);
    if (question === undefined) await saving.whileBusy(action);
    else askConfirm({ ...question, action });
  };

  return {
    noun: model.noun,
    changedFields: draft.changedFields,
    missing: draft.missing,
    errorCount: draft.errorCount,
    unmatchedMessages: saving.unmatchedMessages,
    lock,
    isEnabled,
    isBusy: saving.isBusy,
    takeElement: saving.takeElement,
    submit: () => void submit(),
    discard: () => saving.discard(newest),
    generation,
    conflict:
      lastConflict === null
        ? null
        : {
            isOpen: conflict !== null,
            ...compareStates(statesOf(lastConflict), model.fieldsOf([lastConflict.loadedEntity, lastConflict.current])),
          },
    keepEditing: () => setConflict(null),
    loadTheirs: () => {
      if (conflict === null) return;
      endConflict();
      saving.discard(conflict.current);
      onReplaced?.(conflict.current);
    },
    saveMine: () => {
      if (conflict === null) return;
      const mergedValues = model.merge(statesOf(conflict));
      void saving.whileBusy(() => store(mergedValues, conflict.current, conflict));
    },
  };
}
