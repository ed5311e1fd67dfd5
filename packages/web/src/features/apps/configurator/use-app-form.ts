import { useForm } from '@mantine/form';
import type { FullApp } from '@switchyard/contract/app-form';
import { appRuleErrors, proxyAddress, type UniqueAppField } from '@switchyard/contract/app-rules';
import { spans } from '@switchyard/contract/limits';
import { useRef, useState, type ChangeEvent } from 'react';
import type { CallError } from '../../../shared/api/call-error.ts';
import { refusedFields } from '../../../shared/form/refused-fields.ts';
import { fieldOf, ruleKeyOf, textPaths, type TextPath } from './app-fields.ts';
import { changedKeys, valuesOf, type AppFormValues } from './app-form-values.ts';
import { createUniqueness } from './uniqueness.ts';

/** What the contract says of one text of the form as it stands; the keys of the other conversion type are not shown, yet sent, so they are judged too. */
function ruleError(_value: string, { keys, ...values }: AppFormValues, path: string): string | null {
  const app = { ...values, ...keys, proxy_api_url: proxyAddress(values.proxy_api_url) };
  return appRuleErrors(app)[ruleKeyOf(path)] ?? null;
}

/**
 * State of the app form: texts are judged 500 ms after typing stops (CONF-045), names, bundles and domains then asked
 * about, and an answer about what is no longer there is dropped. `origin` is the app that the form began with.
 */
export function useAppForm(app: FullApp | undefined) {
  const [origin, setOrigin] = useState(app);
  const [ask] = useState(createUniqueness);
  /** Messages of the server; each stays, whatever a check finds that was still waiting, until its field is edited (AMB-095). */
  const refused = useRef(new Map<string, string>());
  const loaded = valuesOf(origin);

  function judge(value: string, values: AppFormValues, path: string): string | null {
    return refused.current.get(path) ?? ruleError(value, values, path);
  }

  async function judgeUnique(value: string, values: AppFormValues, path: string, signal?: AbortSignal): Promise<string | null> {
    const broken = judge(value, values, path);
    if (broken !== null || signal === undefined) return broken;
    const field: UniqueAppField = path === 'name' || path === 'bundle' ? path : 'domain';
    const taken = await ask({ field, value, loaded: loaded[field], exceptId: origin?.id, signal });
    return form.getValues()[field] === value ? taken : null;
  }

  const form = useForm({
    mode: 'controlled',
    initialValues: loaded,
    validateInputOnChange: [...textPaths],
    validateDebounce: spans.validationDebounce,
    validate: {
      name: judgeUnique,
      bundle: judgeUnique,
      domain: judgeUnique,
      whiteUserAgent: judge,
      keys: { createApfDevKey: judge, firebaseAppId: judge, apiSecret: judge },
      proxy_api_url: judge,
      response_message: { static: { response: judge }, create: { response: judge }, receive: { response: judge } },
      adspect_cloak: judge,
    },
  });

  /** Sets a value that is picked, not typed. */
  const pick: typeof form.setFieldValue = (path, value) => {
    refused.current.delete(String(path));
    form.clearFieldError(path);
    form.setFieldValue(path, value);
  };
  const judgeNow = (path: TextPath): void => void form.validateField(path);

  return {
    values: form.values,
    errors: form.errors,
    origin,
    /** An archived app is restored before anything is changed (AMB-098). */
    isArchived: origin !== undefined && origin.deleted_at !== null,
    loaded,
    changed: changedKeys(loaded, form.values),
    pick,
    judgeNow,
    /** Whether the server is being asked about a field. */
    isChecking: (path: TextPath): boolean => form.isValidating(path),
    /** What a text field takes. */
    text: (path: TextPath) => ({
      ...form.getInputProps(path),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        if (refused.current.delete(path)) form.clearFieldError(path);
        form.setFieldValue(path, event.currentTarget.value);
      },
    }),
    /** Puts a text into the shape in which it will be stored. */
    settle: (path: TextPath, text: string): void => {
      if (text !== form.getInputProps(path).value) form.setFieldValue(path, text);
    },
    /** Whether a text breaks a rule, also when it was not judged yet. */
    isBroken: (path: TextPath): boolean => ruleError('', form.values, path) !== null,
    errorOf: (path: string): string | undefined => messageOf(form.errors[path]),
    /** Judges everything at once; gives the values when nothing is wrong and nothing was typed meanwhile. */
    judgeAll: async (): Promise<AppFormValues | null> => {
      const values = form.getValues();
      const { hasErrors } = await form.validate();
      return hasErrors || form.getValues() !== values ? null : values;
    },
    /** Shows what the server refused; gives the messages that belong to no field. */
    refuse: (error: CallError): string[] =>
      refusedFields(error, fieldOf, (path, message) => {
        refused.current.set(path, message);
        form.setFieldError(path, message);
      }),
    /** Begins anew from an app, e.g. as it was saved. */
    begin: (next: FullApp | undefined): void => {
      setOrigin(next);
      refused.current.clear();
      form.setInitialValues(valuesOf(next));
      form.reset();
    },
    nodeOf: (path: string): HTMLElement | null => form.getInputNode(path),
  };
}
export type AppFormState = ReturnType<typeof useAppForm>;

function messageOf(error: unknown): string | undefined {
  return typeof error === 'string' ? error : undefined;
}
