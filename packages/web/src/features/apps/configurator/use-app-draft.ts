import { useForm } from '@mantine/form';
import { checkNotTaken, type FullApp } from '@switchyard/contract/app-form';
import { appLabels, cloakIdLabels, uniquenessCheckLength } from '@switchyard/contract/app-form-texts';
import { appMessages, appRuleErrors, proxyAddress, type UniqueAppField } from '@switchyard/contract/app-rules';
import { useRef, useState, type ChangeEvent } from 'react';
import type { CallError } from '../../../shared/api/call-error.ts';
import { call, inBackground } from '../../../shared/api/call.ts';
import { showRejectedFields } from '../../../shared/form/rejected-fields.ts';
import { timeSpans } from '../../../shared/ui/display-limits.ts';
import { changedKeys, fieldOf, ruleKeyOf, textPaths, valuesOf, type AppValues, type TextPath } from './app-model.ts';

/** Asks the server whether a value is free; a failed call counts as free, because saving validates again. */
async function isFree(field: UniqueAppField, value: string, exceptId: number | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    const query = { search: value, exceptId };
    const { data } = await call(checkNotTaken, {
      params: { field },
      query,
      signal,
      ...inBackground,
    });
    return data;
  } catch {
    return true;
  }
}

type UniquenessQuery = { field: UniqueAppField; value: string; loadedValue: string; exceptId: number | undefined; signal: AbortSignal };
/** The message about a taken value; null if it is free. */
type CheckUniqueness = (query: UniquenessQuery) => Promise<string | null>;

/**
 * Creates the check whether names, bundles and domains are free. Short values and the loaded value are not checked, and no
 * value twice in a row: saving validates every field again.
 */
function createUniquenessCheck(): CheckUniqueness {
  const last = new Map<UniqueAppField, { value: string; isFree: boolean }>();
  return async ({ field, value, loadedValue, exceptId, signal }) => {
    if (value.length < uniquenessCheckLength || value === loadedValue) return null;
    const knownState = last.get(field);
    const free = knownState?.value === value ? knownState.isFree : await isFree(field, value, exceptId, signal);
    if (!signal.aborted) last.set(field, { value, isFree: free });
    return free ? null : appMessages.taken(field, value);
  };
}

/** The message about a text field that breaks a rule. The keys of the other conversion type are hidden but sent, so they are validated too. */
function ruleError(_value: string, { keys, ...values }: AppValues, path: string): string | null {
  const app = { ...values, ...keys, proxy_api_url: proxyAddress(values.proxy_api_url) };
  return appRuleErrors(app)[ruleKeyOf(path)] ?? null;
}

/** The parts of an app without which it cannot be saved. */
const requiredParts = ['name', 'bundle', 'domain', 'vertical'] as const;

/** The label of the cloak id, if it is empty and the chosen mode requires it. */
function missingCloakId(values: AppValues): string[] {
  const isMissing = values.adspect_cloak === '' && ruleError('', values, 'adspect_cloak') !== null;
  return isMissing ? [cloakIdLabels[values.cloak_mode] ?? appLabels.adspect_cloak] : [];
}

/**
 * The draft of an app. Texts are validated 500 ms after typing stops; the server then checks whether names, bundles and
 * domains are free. A response about a value that has changed since is ignored. A new app may begin with values of its own.
 */
export function useAppDraft(app: FullApp | undefined, start?: AppValues) {
  const [origin, setOrigin] = useState(app);
  const [checkUniqueness] = useState(createUniquenessCheck);
  /** Messages of the server. Each stays until its field is edited, whatever a pending validation finds. */
  const rejections = useRef(new Map<string, string>());
  const loadedValues = valuesOf(origin);

  function validate(value: string, values: AppValues, path: string): string | null {
    const rejection = rejections.current.get(path);
    if (rejection !== undefined) return rejection;
    // A domain that was stored before domains had to be host names stays until it is changed.
    return path === 'domain' && value === loadedValues.domain ? null : ruleError(value, values, path);
  }

  async function validateUnique(value: string, values: AppValues, path: string, signal?: AbortSignal): Promise<string | null> {
    const error = validate(value, values, path);
    if (error !== null || signal === undefined) return error;
    const field: UniqueAppField = path === 'name' || path === 'bundle' ? path : 'domain';
    const takenMessage = await checkUniqueness({ field, value, loadedValue: loadedValues[field], exceptId: origin?.id, signal });
    return form.getValues()[field] === value ? takenMessage : null;
  }

  const form = useForm({
    mode: 'controlled',
    initialValues: start ?? loadedValues,
    validateInputOnChange: [...textPaths],
    validateDebounce: timeSpans.validationDebounce,
    validate: {
      name: validateUnique,
      bundle: validateUnique,
      domain: validateUnique,
      whiteUserAgent: validate,
      keys: { createApfDevKey: validate, firebaseAppId: validate, apiSecret: validate },
      proxy_api_url: validate,
      response_message: { static: { response: validate }, create: { response: validate }, receive: { response: validate } },
      adspect_cloak: validate,
    },
  });

  /** Sets a value that is picked, not typed. */
  const pick: typeof form.setFieldValue = (path, value) => {
    rejections.current.delete(String(path));
    form.clearFieldError(path);
    form.setFieldValue(path, value);
  };
  /**
   * Validates a text that another field has made valid or invalid. An empty cloak id is missing, which the save bar says; an empty
   * address of a redirect is invalid too, as specified.
   */
  const validateNow = (path: TextPath): void => {
    if (path === 'adspect_cloak' && form.getInputProps(path).value === '') form.clearFieldError(path);
    else void form.validateField(path);
  };

  return {
    values: form.values,
    origin,
    /** An archived app must be restored before it can be changed. */
    isArchived: origin !== undefined && origin.deleted_at !== null,
    loaded: loadedValues,
    changedFields: changedKeys(loadedValues, form.values).map((key) => appLabels[key]),
    missing: [...requiredParts.filter((part) => form.values[part] === '').map((part) => appLabels[part]), ...missingCloakId(form.values)],
    errorCount: Object.keys(form.errors).length,
    pick,
    validateNow,
    /** Whether the server is checking a field. */
    isChecking: (path: TextPath): boolean => form.isValidating(path),
    /** The props of a text field. */
    text: (path: TextPath) => ({
      ...form.getInputProps(path),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        if (rejections.current.delete(path)) form.clearFieldError(path);
        form.setFieldValue(path, event.currentTarget.value);
      },
    }),
    /** Replaces a text with the one that will be stored. */
    normalize: (path: TextPath, text: string): void => {
      if (text !== form.getInputProps(path).value) form.setFieldValue(path, text);
    },
    /** Whether a text breaks a rule, even if it is not validated yet. */
    isInvalid: (path: TextPath): boolean => ruleError('', form.values, path) !== null,
    errorOf: (path: string): string | undefined => messageOf(form.errors[path]),
    /** Validates everything at once; returns the values if all are valid and nothing was typed meanwhile, else null. */
    validateAll: async (): Promise<AppValues | null> => {
      const values = form.getValues();
      const { hasErrors } = await form.validate();
      return hasErrors || form.getValues() !== values ? null : values;
    },
    reject: (error: CallError): string[] =>
      showRejectedFields(error, fieldOf, (path, message) => {
        rejections.current.set(path, message);
        form.setFieldError(path, message);
      }),
    reset: (next: FullApp | undefined, edited?: AppValues): void => {
      setOrigin(next);
      rejections.current.clear();
      form.setInitialValues(valuesOf(next));
      form.reset();
      if (edited !== undefined) form.setValues(edited);
    },
    nodeOf: (path: string): HTMLElement | null => form.getInputNode(path),
  };
}
export type AppDraft = ReturnType<typeof useAppDraft>;

function messageOf(error: unknown): string | undefined {
  return typeof error === 'string' ? error : undefined;
}
