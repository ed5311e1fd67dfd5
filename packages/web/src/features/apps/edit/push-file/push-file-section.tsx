import type { FullApp } from '@switchyard/contract/app-form';
import { cannotSend, getPushFile, pushFileName, pushFileTexts, type PushFileSettings } from '@switchyard/contract/app-push-file';
import { appMessages } from '@switchyard/contract/app-rules';
import { ActionIcon } from '@mantine/core';
import { IconFileAlert, IconFileCheck, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { call, inBackground } from '../../../../shared/api/call.ts';
import { useHoldsAny } from '../../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../../shared/time/server-time.ts';
import { BlinkingNotice } from '../../../../shared/ui/blinking-notice.tsx';
import { withMarks } from '../../../../shared/ui/hidden-characters.ts';
import { appKey } from '../app-query.ts';
import { PushFilePicker } from './push-file-picker.tsx';
import classes from './push-file.module.css';
import { Writes } from '../../../../shared/ui/read-only.tsx';

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
        <StoredFile appId={app.id} settings={settings} onReplace={mayEdit && !isReplacing ? replace : null} pencil={pencil} />
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

type StoredProps = { appId: number; settings: PushFileSettings; onReplace: (() => void) | null; pencil: Ref<HTMLButtonElement> };

function StoredFile({ appId, settings, onReplace, pencil }: StoredProps) {
  const displayDate = useDisplayDate();
  const { data } = useQuery({
    queryKey: [...appKey(appId), 'push-file', settings.updated_at],
    queryFn: async ({ signal }) => (await call(getPushFile, { params: { id: appId }, signal, ...inBackground })).data,
  });
  const isUnusable = data?.can_send === false;
  const StateIcon = isUnusable ? IconFileAlert : IconFileCheck;
  return (
    <div className={classes['stored']}>
      <StateIcon className={classes['icon']} data-unusable={isUnusable || undefined} size={20} stroke={1.6} aria-hidden />
      <span className={classes['file']}>
        <span className={classes['name']}>{settings.fileName}</span>
        <span className={classes['facts']}>
          {data && <span>{withMarks(pushFileName(data))}</span>}
          <span className="tabular">Saved {displayDate(settings.updated_at)}</span>
        </span>
        {isUnusable && <span className={classes['unusable']}>{cannotSend}</span>}
      </span>
      {onReplace !== null && (
        <Writes>
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
        </Writes>
      )}
    </div>
  );
}
