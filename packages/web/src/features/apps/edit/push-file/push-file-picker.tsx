import { Button, FileInput, Progress, Text } from '@mantine/core';
import {
  cannotSend,
  describePushFile,
  pushFileConfirm,
  type PushFileDescription,
  pushFileName,
  pushFileProblem,
  pushFileTexts,
  readPushFile,
  savePushFile,
} from '@switchyard/contract/app-push-file';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState, type Ref } from 'react';
import { CallError } from '../../../../shared/api/call-error.ts';
import { call } from '../../../../shared/api/call.ts';
import { callKey } from '../../../../shared/api/endpoint-url.ts';
import { sendWithProgress } from '../../../../shared/api/send-with-progress.ts';
import { unshownReason } from '../../../../shared/form/rejected-fields.ts';
import { askConfirm } from '../../../../shared/ui/confirm.tsx';
import { withMarks } from '../../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../../shared/ui/notifications/notification-center.ts';
import { useUnsavedWork } from '../../../../shared/unsaved-work.ts';
import { reloadApp } from '../app-query.ts';
import classes from './push-file.module.css';
import { Writes } from '../../../../shared/ui/read-only.tsx';

type Props = {
  appId: number;
  field: Ref<HTMLButtonElement>;
  onSaved: () => void;
  /** Returns to the stored file; null if there is none. */
  onCancel: (() => void) | null;
};

type FileCheck = { problem: string | null; description: PushFileDescription | null };

/** The message of the server about a file that it would reject, or what the file is. A file of the wrong kind or size is not read. */
async function checkPushFile(file: File): Promise<FileCheck> {
  const problem = pushFileProblem(file);
  if (problem !== null) return { problem, description: null };
  const parsedFile = readPushFile({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  if (typeof parsedFile === 'string') return { problem: parsedFile, description: null };
  return { problem: null, description: describePushFile(parsedFile.content) };
}

/** Sends a push file and reloads the app, also after a failure: it may have been archived meanwhile. */
async function sendPushFile(appId: number, file: File, onProgress: (share: number) => void): Promise<void> {
  const body = new FormData();
  body.append('appId', String(appId));
  body.append('configuration', file);
  try {
    const { data } = await call(savePushFile, { body, send: sendWithProgress(onProgress) });
    notify({ type: 'success', message: `Push file "${data.fileName}" saved`, key: callKey(savePushFile) });
  } finally {
    await reloadApp(appId);
  }
}

/** Why a call was rejected, where no notification says it; null if it failed for another reason. */
function rejectionOf(error: unknown): string | null {
  if (!(error instanceof CallError)) return null;
  return unshownReason(error) ?? (Object.values(error.fields).flat().join(' ') || null);
}

/** Lets the reader choose a JSON file, validates it in the browser, and sends it after a confirmation. */
export function PushFilePicker({ appId, field, onSaved, onCancel }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [description, setDescription] = useState<PushFileDescription | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const release = useUnsavedWork(file !== null);
  const latest = useRef<File | null>(null);

  const choose = async (chosenFile: File | null): Promise<void> => {
    latest.current = chosenFile;
    setFile(chosenFile);
    setProblem(null);
    setDescription(null);
    setIsChecked(false);
    if (chosenFile === null) return;
    const checkResult = await checkPushFile(chosenFile);
    // A large file may take longer to read than one that was chosen after it.
    if (latest.current !== chosenFile) return;
    setProblem(checkResult.problem);
    setDescription(checkResult.description);
    setIsChecked(true);
  };
  const send = async (chosenFile: File): Promise<void> => {
    setProgress(0);
    try {
      await sendPushFile(appId, chosenFile, setProgress);
      release();
      setFile(null);
      onSaved();
    } catch (error) {
      setProblem(rejectionOf(error));
      throw error;
    } finally {
      setProgress(null);
    }
  };
  const save = (): void => {
    if (file === null) return;
    askConfirm({ title: pushFileConfirm.title, lines: [pushFileConfirm.text], action: () => send(file) });
  };
  const share = Math.round((progress ?? 0) * 100);
  return (
    <div className={classes['picker']}>
      <FileInput
        ref={field}
        className={classes['input'] ?? ''}
        label={pushFileTexts.choose}
        description="A .json file of at most 1 MiB. Its content is stored encrypted and never shown again."
        placeholder={pushFileTexts.choose}
        accept=".json,application/json"
        leftSection={<IconUpload size={16} stroke={1.7} aria-hidden />}
        value={file}
        error={problem}
        errorProps={{ role: 'alert' }}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the chosen file' }}
        disabled={progress !== null}
        onChange={(chosenFile) => void choose(chosenFile)}
      />
      {description !== null && (
        <p className={classes['facts']} aria-live="polite">
          <span>{withMarks(pushFileName(description))}</span>
          {!description.can_send && <span className={classes['unusable']}>{cannotSend}</span>}
        </p>
      )}
      {progress !== null && (
        <div className={classes['progress']}>
          <Progress value={share} size="sm" aria-label="Sending the file" />
          <Text size="xs" c="dimmed" className="tabular">
            {share < 100 ? `${share} % sent` : 'Sent, being checked'}
          </Text>
        </div>
      )}
      <div className={classes['buttons']}>
        <Writes>
          <Button disabled={file === null || !isChecked || problem !== null || progress !== null} onClick={save}>
            Save file
          </Button>
        </Writes>
        {onCancel !== null && (
          <Button variant="default" disabled={progress !== null} onClick={onCancel}>
            {pushFileTexts.cancel}
          </Button>
        )}
      </div>
    </div>
  );
}
