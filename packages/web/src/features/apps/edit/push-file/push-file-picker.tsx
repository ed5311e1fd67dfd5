import { Button, FileInput, Progress, Text } from '@mantine/core';
import { pushFileConfirm, pushFileTexts } from '@switchyard/contract/app-push-file';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState, type Ref } from 'react';
import { CallError } from '../../../../shared/api/call-error.ts';
import { askConfirm } from '../../../../shared/ui/confirm.tsx';
import { useUnsavedWork } from '../../../../shared/use-unsaved-work.ts';
import { checkPushFile } from './check-push-file.ts';
import classes from './push-file.module.css';
import { sendPushFile } from './save-push-file.ts';

type Props = {
  appId: number;
  field: Ref<HTMLButtonElement>;
  onSaved: () => void;
  /** Goes back to the stored file; null when there is none. */
  onCancel: (() => void) | null;
};

/** What the server has against the file, from a refused call; null when it failed for another reason. */
function refusal(error: unknown): string | null {
  if (!(error instanceof CallError)) return null;
  return Object.values(error.fields).flat().join(' ') || null;
}

/** Chooses a JSON file, tells what is wrong with it before anything is sent, and sends it after a prompt (PUSHF-003 to PUSHF-009). */
export function PushFilePicker({ appId, field, onSaved, onCancel }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const release = useUnsavedWork(file !== null);
  const latest = useRef<File | null>(null);

  const choose = async (chosen: File | null): Promise<void> => {
    latest.current = chosen;
    setFile(chosen);
    setProblem(null);
    setIsChecked(false);
    if (chosen === null) return;
    const found = await checkPushFile(chosen);
    // A large file is read for longer than one that was chosen after it.
    if (latest.current !== chosen) return;
    setProblem(found);
    setIsChecked(true);
  };
  const send = async (chosen: File): Promise<void> => {
    setProgress(0);
    try {
      await sendPushFile(appId, chosen, setProgress);
      release();
      setFile(null);
      onSaved();
    } catch (error) {
      setProblem(refusal(error));
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
        onChange={(chosen) => void choose(chosen)}
      />
      {progress !== null && (
        <div className={classes['progress']}>
          <Progress value={share} size="sm" aria-label="Sending the file" />
          <Text size="xs" c="dimmed" className="tabular">
            {share < 100 ? `${share} % sent` : 'Sent, being checked'}
          </Text>
        </div>
      )}
      <div className={classes['buttons']}>
        <Button disabled={file === null || !isChecked || problem !== null || progress !== null} onClick={save}>
          Save file
        </Button>
        {onCancel !== null && (
          <Button variant="default" disabled={progress !== null} onClick={onCancel}>
            {pushFileTexts.cancel}
          </Button>
        )}
      </div>
    </div>
  );
}
