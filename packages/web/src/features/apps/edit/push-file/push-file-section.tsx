import type { FullApp } from '@switchyard/contract/app-form';
import { pushFileTexts, type PushFileSettings } from '@switchyard/contract/app-push-file';
import { appMessages } from '@switchyard/contract/app-rules';
import { ActionIcon } from '@mantine/core';
import { IconFileCheck, IconPencil } from '@tabler/icons-react';
import { useRef, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { useHoldsAny } from '../../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../../shared/time/server-time.ts';
import { BlinkingNotice } from '../../../../shared/ui/blinking-notice.tsx';
import { PushFilePicker } from './push-file-picker.tsx';
import classes from './push-file.module.css';

/**
 * The name of the push file, never its content, and a button to replace it. Without a file the picker is open. Archived apps
 * and accounts without the permission see only the name.
 */
export function PushFileSection({ app }: { app: Pick<FullApp, 'id' | 'deleted_at' | 'firebase_settings'> }) {
  const mayEdit = useHoldsAny('manager_app_push_setting') && app.deleted_at === null;
  const settings = app.firebase_settings;
  const [isReplacing, setIsReplacing] = useState(false);
  const isEditing = mayEdit && (settings === null || isReplacing);
  const pencil = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLButtonElement>(null);
  // Both buttons disappear when they are pressed, so the focus is moved explicitly.
  const replace = (): void => {
    flushSync(() => setIsReplacing(true));
    field.current?.focus();
  };
  const showStored = (): void => {
    flushSync(() => setIsReplacing(false));
    pencil.current?.focus();
  };
  return (
    <div className={classes['section']}>
      {settings === null ? (
        <BlinkingNotice>{pushFileTexts.notConfigured}</BlinkingNotice>
      ) : (
        <StoredFile settings={settings} onReplace={mayEdit && !isReplacing ? replace : null} pencil={pencil} />
      )}
      {isEditing && (
        <PushFilePicker
          appId={app.id}
          field={field}
          onSaved={() => setIsReplacing(false)}
          onCancel={settings === null ? null : showStored}
        />
      )}
      {app.deleted_at !== null && <p className="note">{appMessages.archived}</p>}
    </div>
  );
}

type StoredProps = { settings: PushFileSettings; onReplace: (() => void) | null; pencil: Ref<HTMLButtonElement> };

function StoredFile({ settings, onReplace, pencil }: StoredProps) {
  const displayDate = useDisplayDate();
  return (
    <div className={classes['stored']}>
      <IconFileCheck className={classes['icon']} size={20} stroke={1.6} aria-hidden />
      <span className={classes['file']}>
        <span className={classes['name']}>{settings.fileName}</span>
        <span className={classes['facts']}>
          {settings.projectId !== null && <span>Project {settings.projectId}</span>}
          <span className="tabular">Saved {displayDate(settings.updated_at)}</span>
        </span>
      </span>
      {onReplace !== null && (
        <ActionIcon
          ref={pencil}
          variant="subtle"
          color="neutral"
          aria-label={pushFileTexts.replace}
          title={pushFileTexts.replace}
          onClick={onReplace}
          data-focus-home
        >
          <IconPencil size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}
