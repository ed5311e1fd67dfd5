import { Alert, Button, Checkbox, Group, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { viewLimits, type SavedView } from '@switchyard/contract/saved-views';
import { useState, type FormEvent } from 'react';
import { isSame } from '../../form/conflict.ts';
import { limitProps } from '../../form/limited.ts';
import { notify } from '../../ui/notifications/notification-center.ts';
import { Popup } from '../../ui/popup.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { useUnsavedWork } from '../../unsaved-work.ts';
import type { SavedViews } from './use-saved-views.ts';
import { saveNewView, saveView, viewFieldErrors } from './view-calls.ts';
import classes from './view-dialog.module.css';
import type { ViewContent } from './view-state.ts';

type Props = {
  views: SavedViews;
  /** The view to rename and share, or a new one; null while the dialog is closed. */
  view: SavedView | 'new' | null;
  /** Content of a new view. */
  content: ViewContent;
  onClose: () => void;
  /** Called after the fade-out. */
  onClosed: () => void;
  onSaved: (savedView: SavedView) => void;
};

/** Asks for the name of a view and with whom it is shared. */
export function ViewDialog({ view, onClosed, ...props }: Props) {
  // Keeps the form during the fade-out.
  const [shownView, setShown] = useState(view);
  if (view !== null && view !== shownView) setShown(view);
  return (
    <Popup
      isOpen={view !== null}
      onClose={props.onClose}
      onClosed={onClosed}
      title={shownView === 'new' ? 'Save as new view' : 'Rename or share view'}
    >
      {shownView !== null && <ViewForm view={shownView} {...props} />}
    </Popup>
  );
}

type ViewFields = { readonly name: string; readonly sharing: SavedView['sharing']; readonly roleIds: readonly number[] };

type FormProps = Omit<Props, 'view' | 'onClosed'> & { view: SavedView | 'new' };

function ViewForm({ views: { list, roles }, view, content, onClose, onSaved }: FormProps) {
  const storedView = view === 'new' ? undefined : view;
  const [initial] = useState<ViewFields>(() => ({
    name: storedView?.name ?? '',
    sharing: storedView?.sharing ?? 'private',
    roleIds: storedView?.role_ids ?? [],
  }));
  const [fields, setFields] = useState(initial);
  const release = useUnsavedWork(!isSame(fields, initial));
  const [errors, setErrors] = useState<ReturnType<typeof viewFieldErrors>>({});
  const [isBusy, setBusy] = useState(false);
  const change = (next: Partial<ViewFields>): void => {
    setFields((before) => ({ ...before, ...next }));
    setErrors({});
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const { name, sharing, roleIds } = fields;
    const body = { name, sharing, role_ids: sharing === 'roles' ? [...roleIds] : [] };
    try {
      const savedView = await (storedView === undefined ? saveNewView({ list, ...body, ...content }) : saveView(storedView, body));
      notify({ type: 'success', message: `View "${savedView.name}" saved` });
      release();
      onClose();
      onSaved(savedView);
    } catch (error) {
      setErrors(viewFieldErrors(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          value={fields.name}
          {...limitProps(fields.name, viewLimits.nameCharacters)}
          error={errors.name}
          autoComplete="off"
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Sharing fields={fields} roles={roles} error={errors.roles} onChange={change} />
        {errors.other !== undefined && (
          <Alert color="danger" variant="light" role="alert">
            <VisibleText text={errors.other} />
          </Alert>
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button type="submit" disabled={fields.name.trim() === ''} loading={isBusy}>
          Save
        </Button>
      </Group>
    </form>
  );
}

type SharingProps = {
  fields: ViewFields;
  roles: SavedViews['roles'];
  error: string | undefined;
  onChange: (next: Partial<ViewFields>) => void;
};

/** With whom the view is shared; roles that the reader does not see are listed by their id. */
function Sharing({ fields: { sharing, roleIds }, roles, error, onChange }: SharingProps) {
  const unlistedIds = roleIds.filter((id) => !roles.some((role) => role.id === id));
  const choices = [...roles, ...unlistedIds.map((id) => ({ id, name: `Role #${id}` }))];
  return (
    <>
      <Input.Wrapper label="Who sees it" labelElement="div" description="A view gives nobody access to more rows.">
        <SegmentedControl
          fullWidth
          mt={6}
          size="xs"
          aria-label="Who sees it"
          value={sharing}
          onChange={(value) => onChange({ sharing: value })}
          data={[
            { value: 'private' as const, label: 'Only you' },
            ...(choices.length > 0 ? [{ value: 'roles' as const, label: 'Roles' }] : []),
            { value: 'everyone' as const, label: 'Everyone' },
          ]}
        />
      </Input.Wrapper>
      {sharing === 'roles' && (
        <Checkbox.Group
          aria-label="Roles"
          className={classes['roles'] ?? ''}
          value={roleIds.map(String)}
          onChange={(ids) => onChange({ roleIds: ids.map(Number) })}
          error={error}
        >
          <Stack gap={8}>
            {choices.map((role) => (
              <Checkbox key={role.id} size="xs" value={String(role.id)} label={<VisibleText text={role.name} />} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
