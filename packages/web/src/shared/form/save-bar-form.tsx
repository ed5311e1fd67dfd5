import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConflictDialog } from './conflict-dialog.tsx';
import formClasses from './form.module.css';
import { PageForm } from './page-form.tsx';
import { SaveBar } from './save-bar.tsx';
import type { EntityEdit } from './use-entity-edit.ts';

type Props = {
  edit: EntityEdit;
  /** Accessible name of the form. */
  label: string;
  saveLabel?: string;
  /** False if the account may not save anything here; the form then has no buttons. */
  maySave?: boolean;
  hasIndex?: boolean;
  /** Below what is unsaved, e.g. what a save would change for others. */
  details?: ReactNode;
  children: ReactNode;
};

/** The form of an entity with its save bar and its conflict dialog. */
export function SaveBarForm({ edit, label, saveLabel = 'Save', maySave = true, hasIndex = false, details, children }: Props) {
  const { changedFields, errorCount, missing, unmatchedMessages, lock, isEnabled, isBusy, conflict } = edit;
  return (
    <>
      <PageForm
        key={edit.generation}
        label={label}
        takeElement={edit.takeElement}
        onSubmit={() => maySave && edit.submit()}
        hasIndex={hasIndex}
      >
        {children}
        <SaveBar
          changedFields={changedFields}
          errorCount={errorCount}
          missing={missing}
          unmatchedMessages={unmatchedMessages}
          notice={lock ?? undefined}
          save={maySave ? { isEnabled, isBusy } : null}
          saveLabel={saveLabel}
          onDiscard={edit.discard}
          details={details}
        />
      </PageForm>
      {conflict !== null && (
        <ConflictDialog
          {...conflict}
          noun={edit.noun}
          isSaving={isBusy}
          onKeepEditing={edit.keepEditing}
          onLoadTheirs={edit.loadTheirs}
          onSaveMine={edit.saveMine}
        />
      )}
    </>
  );
}

type NameProps = Omit<TextInputProps, 'onChange'> & { name: string; value: string; onChange: (value: string) => void };

/** A required text; by default the name by which a form's entity is listed. */
export function NameField({ onChange, ...props }: NameProps) {
  return (
    <TextInput
      label="Name"
      required
      withAsterisk={false}
      labelProps={{ className: formClasses['required'] }}
      autoComplete="off"
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
