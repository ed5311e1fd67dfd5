import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { Popup } from '../ui/popup.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { Difference } from './conflict.ts';
import classes from './conflict-dialog.module.css';

type Props = {
  isOpen: boolean;
  /** Noun of the entity, e.g. `app`. */
  noun: string;
  /** Fields that somebody else changed since the form was loaded. */
  rows: readonly Difference[];
  /** Labels of fields that were only edited here. */
  onlyMine: readonly string[];
  isSaving: boolean;
  onKeepEditing: () => void;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
};

/**
 * Focuses the Save button, or the state beside it if the button is disabled. The focus cannot return there by itself,
 * because the button was disabled while saving or has been replaced with the form.
 */
function focusSaveBar(): void {
  const { activeElement, body } = document;
  if (activeElement !== body && !activeElement?.closest('[role="dialog"]')) return;
  const bar = document.querySelector('section[aria-label="Save"]');
  const target = bar?.querySelector<HTMLElement>('button[type="submit"]:enabled') ?? bar?.querySelector<HTMLElement>('[data-focus-home]');
  target?.focus();
}

/** Shows what somebody else saved meanwhile and lets the reader choose a version; nothing is lost until then. */
export function ConflictDialog({ isOpen, noun, rows, onlyMine, isSaving, onKeepEditing, onLoadTheirs, onSaveMine }: Props) {
  return (
    <Popup
      isOpen={isOpen}
      onClose={() => !isSaving && onKeepEditing()}
      onClosed={focusSaveBar}
      title={`Somebody else changed this ${noun}`}
      width={760}
    >
      <Stack gap="sm">
        <Text>It was saved elsewhere while you were editing, so your changes are not saved yet.</Text>
        {rows.length > 0 && <Differences rows={rows} />}
        {rows.length === 0 && <Text>Every field of this form is as you loaded it.</Text>}
        {onlyMine.length > 0 && (
          <Text>
            <Text span fw={600}>
              Your other changes:{' '}
            </Text>
            {onlyMine.join(', ')}
          </Text>
        )}
        <Text c="dimmed" size="sm">
          Saving yours keeps what they changed in fields that you left alone; where both changed a field, yours counts.
        </Text>
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onKeepEditing} disabled={isSaving} data-autofocus>
          Keep editing
        </Button>
        <Button variant="outline" color="danger" onClick={onLoadTheirs} disabled={isSaving}>
          Discard mine, load theirs
        </Button>
        <Button onClick={onSaveMine} disabled={isSaving}>
          Save mine over it
        </Button>
      </Group>
    </Popup>
  );
}

function Differences({ rows }: { rows: readonly Difference[] }) {
  return (
    <ScrollArea.Autosize className={classes['frame'] ?? ''} mah="40vh" type="auto">
      <table className={classes['table']} aria-label="Changed meanwhile">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">When you opened it</th>
            <th scope="col">Saved meanwhile</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label} data-both={row.mine !== null || undefined}>
              <th scope="row">{row.label}</th>
              <td data-label="When you opened it">
                <Value text={row.before} />
              </td>
              <td data-label="Saved meanwhile">
                <Value text={row.theirs} />
              </td>
              <td data-label="Yours">
                {row.mine === null ? <span className={classes['none']}>not changed</span> : <Value text={row.mine} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea.Autosize>
  );
}

function Value({ text }: { text: string }) {
  return text === '' ? <span className={classes['none']}>empty</span> : <VisibleText text={text} />;
}
