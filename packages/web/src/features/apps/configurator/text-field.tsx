import { Loader, TextInput, type TextInputProps } from '@mantine/core';
import type { TextPath } from './app-fields.ts';
import classes from '../../../shared/form/form.module.css';
import type { AppFormState } from './use-app-form.ts';

type Props = Omit<TextInputProps, 'form' | 'value' | 'onChange' | 'error'> & { form: AppFormState; path: TextPath };

/** A line of text of the form, with its message under it and a spinner while the server is asked about it. */
export function TextField({ form, path, rightSection, required = false, ...rest }: Props) {
  const isChecking = form.isChecking(path);
  return (
    <TextInput
      {...form.text(path)}
      {...rest}
      name={path}
      required={required}
      // Drawn by the style sheet: a star in the text would be part of the label.
      withAsterisk={false}
      labelProps={required ? { className: classes['required'] } : {}}
      autoComplete="off"
      spellCheck={false}
      rightSection={isChecking ? <Loader size={14} aria-label="Checking" /> : rightSection}
    />
  );
}
