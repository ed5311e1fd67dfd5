import { Button } from '@mantine/core';
import { stopViewAs, viewAsAccount, viewAsRole, type ViewedSubject } from '@switchyard/contract/view-as';
import { IconEye } from '@tabler/icons-react';
import { CallError, isForbidden } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { RowAction } from '../listing/row-action.tsx';
import { useHoldsAny } from '../session/use-session.ts';
import { viewAs } from '../session/view-as.ts';
import { askConfirm } from '../ui/confirm.tsx';
import { withMarks } from '../ui/hidden-characters.ts';
import { notify } from '../ui/notifications/notification-center.ts';
import { unsavedWork } from '../unsaved-work.ts';

type Props = { subject: ViewedSubject };

/** Begins a view of the console as the role or account, on its page. Readers who may not view see nothing. */
export function ViewAsButton({ subject }: Props) {
  if (!useMayView()) return null;
  return (
    <Button size="compact-md" variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={() => request(subject)}>
      View as
    </Button>
  );
}

/** The button in a row of a list. */
export function ViewAsAction({ subject }: Props) {
  if (!useMayView()) return null;
  return <RowAction icon={IconEye} label={`View as ${withMarks(subject.name)}`} onClick={() => request(subject)} />;
}

function useMayView(): boolean {
  const managesRoles = useHoldsAny(...viewAsRole.access.anyOf);
  return managesRoles && viewAs.get() === null;
}

function request(subject: ViewedSubject): void {
  if (!unsavedWork.isHeld()) {
    void begin(subject);
    return;
  }
  askConfirm({
    title: 'View without saving?',
    lines: ['Your changes on this page are not saved and will be lost.'],
    isDangerous: true,
    action: () => begin(subject),
  });
}

async function begin({ kind, id, name }: ViewedSubject): Promise<void> {
  const { pathname, search } = window.location;
  const key = `view as ${kind} ${id}`;
  try {
    const { data } = await call(kind === 'role' ? viewAsRole : viewAsAccount, { params: { id } });
    if (viewAs.enter(data, pathname + search)) return;
    notify({ type: 'danger', message: 'This browser blocks storage for tabs, so the view cannot be opened', key });
    await call(stopViewAs, failingInPlace);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // The error policy does not report these two, and the page has no other place for them.
    if (isForbidden(error)) notify({ type: 'danger', message: error.message, key });
    if (error.status === 404) notify({ type: 'danger', message: `${name} is no longer there`, key });
  }
}
