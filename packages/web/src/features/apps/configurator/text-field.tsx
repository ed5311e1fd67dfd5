import { Loader, TextInput, type TextInputProps } from '@mantine/core';
import type { TextPath } from './app-model.ts';
import classes from '../../../shared/form/form.module.css';
import type { AppDraft } from './use-app-draft.ts';

type Props = Omit<TextInputProps, 'form' | 'value' | 'onChange' | 'error'> & { form: AppDraft; path: TextPath };

/** A text field of the form with its message, and a spinner while the server checks it. */
export function TextField({ form, path, rightSection, required = false, ...rest }: Props) {
  const isChecking = form.isChecking(path);
  return (
    <TextInput
      {...form.text(path)}
      {...rest}
      name={path}
      required={required}
      // The style sheet marks required fields; an asterisk in the text would be part of the label.
      withAsterisk={false}
      labelProps={required ? { className: classes['required'] } : {}}
      autoComplete="off"
      spellCheck={false}
      rightSection={isChecking ? <Loader size={14} aria-label="Checking" /> : rightSection}
    />
  );
}
