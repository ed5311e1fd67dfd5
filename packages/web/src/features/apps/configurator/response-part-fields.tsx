import { NativeSelect, Textarea } from '@mantine/core';
import { responseCodes, responseTypes, type responseEntries } from '@switchyard/contract/app-rules';
import classes from './app-form.module.css';
import type { AppFormState } from './use-app-form.ts';

type Props = { form: AppFormState; entry: (typeof responseEntries)[number] };

const entryNames = { static: 'Static', create: 'Create', receive: 'Receive' } as const;

/** What the app answers to one kind of request: content type, HTTP code and text (RESP-008, RESP-009). */
export function ResponsePartFields({ form, entry }: Props) {
  const path = `response_message.${entry}` as const;
  const { type, code } = form.values.response_message[entry];
  return (
    <fieldset className={classes['response']}>
      <legend className={classes['legend']}>{entryNames[entry]} response</legend>
      <div className={classes['pair']}>
        <NativeSelect
          label="Type"
          data-path={`${path}.type`}
          name={`${path}.type`}
          value={type}
          error={form.errorOf(`${path}.type`)}
          data={responseTypes.map((known) => ({ value: known, label: known }))}
          onChange={(event) => {
            const picked = responseTypes.find((known) => known === event.currentTarget.value);
            if (picked !== undefined) form.pick(`${path}.type`, picked);
          }}
        />
        <NativeSelect
          label="Code"
          data-path={`${path}.code`}
          name={`${path}.code`}
          value={String(code)}
          error={form.errorOf(`${path}.code`)}
          data={responseCodes.map((known) => ({ value: String(known), label: String(known) }))}
          onChange={(event) => {
            const picked = responseCodes.find((known) => String(known) === event.currentTarget.value);
            if (picked === undefined) return;
            form.pick(`${path}.code`, picked);
            form.judgeNow(`${path}.response`);
          }}
        />
      </div>
      <Textarea
        label="Response"
        {...form.text(`${path}.response`)}
        name={`${path}.response`}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
      />
    </fieldset>
  );
}
