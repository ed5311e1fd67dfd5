import { Alert, Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core';
import type { Board } from '@switchyard/contract/boards';
import { viewLimits } from '@switchyard/contract/saved-views';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useStaffNames } from '../../../shared/accounts/use-staff-names.ts';
import { isSame } from '../../../shared/form/conflict.ts';
import { viewsQuery } from '../../../shared/listing/views/use-saved-views.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { PickMany } from '../../../shared/ui/pick-list.tsx';
import { Popup } from '../../../shared/ui/popup.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { changeBoard, createBoard, failureOf } from './tile-calls.ts';

type Props = { edited: { board: Board | null } | null; onClose: () => void; onSaved: (board: Board) => void };

/** Names a board and shares it with roles and people. What another tab stores meanwhile does not change the form. */
export function BoardDialog({ edited, onClose, onSaved }: Props) {
  // Keeps the form during the fade-out.
  const [shown, setShown] = useState(edited);
  if (edited !== null && edited !== shown) setShown(edited);
  const board = shown?.board ?? null;
  return (
    <Popup
      isOpen={edited !== null}
      onClose={onClose}
      title={board === null ? 'New board' : 'Board settings'}
      showsOverflow
      closeOnBackdrop={false}
    >
      <BoardForm board={board} onClose={onClose} onSaved={onSaved} />
    </Popup>
  );
}

function BoardForm({ board, onClose, onSaved }: Omit<Props, 'edited'> & { board: Board | null }) {
  const [name, setName] = useState(board?.name ?? '');
  const [roleIds, setRoleIds] = useState<readonly number[]>(board?.role_ids ?? []);
  const [accountIds, setAccountIds] = useState<readonly number[]>(board?.accounts.map(({ id }) => id) ?? []);
  const [initial] = useState({ name, roleIds, accountIds });
  const release = useUnsavedWork(!isSame({ name, roleIds, accountIds }, initial));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const roles = useQuery(viewsQuery('reports')).data?.roles ?? [];
  const unlisted = roleIds.filter((id) => !roles.some((role) => role.id === id)).map((id) => ({ id, name: `Role #${id}` }));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const body = { name, role_ids: [...roleIds], account_ids: [...accountIds] };
      const saved = await (board === null ? createBoard(body) : changeBoard(board, body));
      notify({ type: 'success', message: `Board "${saved.name}" ${board === null ? 'created' : 'saved'}` });
      release();
      onSaved(saved);
      onClose();
    } catch (error) {
      setProblem(failureOf('board', error));
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          data-autofocus
          maxLength={viewLimits.nameCharacters}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <People stored={board?.accounts ?? []} value={accountIds} onChange={setAccountIds} />
        <Checkbox.Group
          label="Share with roles"
          description="Each reader sees the figures of their own apps, and arranges the board for themselves."
          value={roleIds.map(String)}
          onChange={(ids) => setRoleIds(ids.map(Number))}
        >
          <Stack gap={8} mt={8}>
            {[...roles, ...unlisted].map((role) => (
              <Checkbox key={role.id} size="xs" value={String(role.id)} label={<VisibleText text={role.name} />} />
            ))}
          </Stack>
        </Checkbox.Group>
        {problem !== null && (
          <Alert color="danger" variant="light" role="alert">
            <VisibleText text={problem} />
          </Alert>
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {board === null ? 'Create board' : 'Save board'}
        </Button>
      </Group>
    </form>
  );
}

type PeopleProps = { stored: Board['accounts']; value: readonly number[]; onChange: (ids: readonly number[]) => void };

/** People who see the board. Who does not see the list of users can remove some only. */
function People({ stored, value, onChange }: PeopleProps) {
  const { mayPick, names, user, onRetry } = useStaffNames(stored);
  if (!mayPick && stored.length === 0) return null;
  return (
    <Input.Wrapper labelElement="div">
      <PickMany
        label="Share with people"
        placeholder="Nobody"
        width="100%"
        options={Array.from(names, ([id, name]) => ({ value: String(id), name })).filter(({ value: id }) => id !== String(user?.id))}
        value={value.map(String)}
        onRetry={onRetry}
        onChange={(ids) => onChange(ids.map(Number))}
      />
    </Input.Wrapper>
  );
}
