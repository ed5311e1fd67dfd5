import { Button, FileInput, Group, Input, Progress, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { blackIpReasonCharacters } from '@switchyard/contract/black-ips';
import { decodeList, importBlackList, importLimits, importMessages } from '@switchyard/contract/black-list-import';
import { sourceCharacters } from '@switchyard/contract/black-list-query';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { unshownReason } from '../../shared/form/rejected-fields.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import { checkImport, expiryChoices, importForm, withCorrections, type ImportCheck, type ImportFields } from './import-model.ts';
import { ImportPreview } from './import-preview.tsx';

/** Imports a list of addresses and networks: paste or file, then the result of each line, then all of it at once. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Popup
      isOpen={isOpen}
      onClose={onClose}
      title="Import addresses and networks"
      width={760}
      closeOnBackdrop={false}
      closeOnEscape={false}
    >
      <ImportSteps onClose={onClose} />
    </Popup>
  );
}

/** Why a call failed, where no notification says it. */
const problemOf = (error: CallError): string => unshownReason(error) ?? Object.values(error.fields).flat().join(' ');

/** Milliseconds that 200,000 entries may take to be stored. */
const importTimeout = 300_000;

/** Mounted only while the dialog is open, so it opens as it was at first. */
function ImportSteps({ onClose }: { onClose: () => void }) {
  const offset = useServerOffset();
  const [text, setText] = useState('');
  const [fields, setFields] = useState<ImportFields>({ reason: '', source: '', expiry: { choice: 'never', until: '' } });
  const [check, setCheck] = useState<ImportCheck | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useUnsavedWork(text !== '');
  useEffect(() => () => running.current?.abort(), []);

  /** Checks a list. Gives whether it has been checked. */
  async function run(list: string): Promise<boolean> {
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setProgress(0);
    try {
      setCheck(await checkImport(list, { expiry: fields.expiry, offset, signal: controller.signal, onProgress: setProgress }));
      setText(list);
      return true;
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error instanceof CallError ? problemOf(error) : 'The check broke off. Try again.');
      return false;
    } finally {
      setProgress(null);
    }
  }

  async function send(): Promise<void> {
    setProblem(null);
    setProgress(1);
    try {
      const { data } = await call(importBlackList, { body: importForm(text, fields, offset), answerTimeout: importTimeout });
      const extended = data.extended === 0 ? '' : `, ${groupedNumber(data.extended)} extended`;
      notify({
        type: 'success',
        message: `Black list: ${groupedNumber(data.added)} ${data.added === 1 ? 'entry' : 'entries'} added${extended}`,
      });
      void queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(problemOf(error));
    } finally {
      setProgress(null);
    }
  }

  const notes = (
    <>
      {problem !== null && problem !== '' && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
      {progress !== null && (
        <Group gap="sm" wrap="nowrap">
          <Progress value={progress * 100} animated aria-label="Lines with a result" style={{ flexGrow: 1 }} />
          {check === null && (
            <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
              Stop
            </Button>
          )}
        </Group>
      )}
    </>
  );
  if (check !== null) {
    return (
      <Stack gap="sm">
        <ImportPreview
          check={check}
          text={text}
          isBusy={progress !== null}
          onBack={(corrections) => {
            setText(withCorrections(text, corrections));
            setCheck(null);
          }}
          onCorrect={async (corrections) => run(withCorrections(text, corrections))}
          onImport={() => void send()}
        />
        {notes}
      </Stack>
    );
  }
  return (
    <ListForm
      text={text}
      fields={fields}
      isBusy={progress !== null}
      onText={setText}
      onFields={(changes) => setFields((before) => ({ ...before, ...changes }))}
      onProblem={setProblem}
      onCheck={() => void run(text)}
      onClose={onClose}
    >
      {notes}
    </ListForm>
  );
}

type ListFormProps = {
  text: string;
  fields: ImportFields;
  isBusy: boolean;
  onText: (text: string) => void;
  onFields: (changes: Partial<ImportFields>) => void;
  onProblem: (problem: string | null) => void;
  onCheck: () => void;
  onClose: () => void;
  children: React.ReactNode;
};

/** Characters of a file up to which it is shown in the field, where it can be edited. */
const shownCharacters = 100_000;

function ListForm({ text, fields, isBusy, onText, onFields, onProblem, onCheck, onClose, children }: ListFormProps) {
  const { reason, source, expiry } = fields;
  const isShown = text.length <= shownCharacters;
  const hasExpiry = expiry.choice !== 'date' || expiry.until !== '';
  async function choose(file: File | null): Promise<void> {
    if (file === null) return;
    onProblem(null);
    if (file.size > importLimits.bytes) {
      onProblem(importMessages.tooManyLines);
      return;
    }
    const content = decodeList(new Uint8Array(await file.arrayBuffer()));
    if (content === null) onProblem(importMessages.packed);
    else onText(content);
    onFields({ source: file.name.slice(0, sourceCharacters) });
  }
  return (
    <DialogForm submitLabel="Check list" isEnabled={text.trim() !== '' && hasExpiry && !isBusy} onSubmit={onCheck} onCancel={onClose}>
      <Stack gap="sm">
        {isShown ? (
          <Textarea
            label="List"
            description="One address or network a line. Comments and CSV files are fine."
            placeholder={'203.0.113.9 # scanner\n198.51.100.0/24'}
            minRows={6}
            maxRows={12}
            autosize
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
            data-autofocus
          />
        ) : (
          <Group justify="space-between">
            <Text size="sm">{groupedNumber(text.split('\n').length)} lines</Text>
            <Button size="xs" variant="default" onClick={() => onText('')}>
              Clear list
            </Button>
          </Group>
        )}
        <FileInput
          label="Or a file"
          placeholder="Choose a file"
          leftSection={<IconUpload size={16} aria-hidden />}
          accept=".txt,.csv,.netset,.ipset,.json,.conf,.list,text/plain,text/csv"
          onChange={(file) => void choose(file)}
        />
        <TextInput
          label="Source"
          placeholder="Where the list comes from"
          {...limitProps(source, sourceCharacters)}
          value={source}
          onChange={(event) => onFields({ source: event.currentTarget.value })}
        />
        <Textarea
          label="Reason"
          autosize
          minRows={1}
          maxRows={4}
          {...limitProps(reason, blackIpReasonCharacters)}
          value={reason}
          onChange={(event) => onFields({ reason: event.currentTarget.value })}
        />
        <Input.Wrapper label="Expires" labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            size="xs"
            aria-label="Expires"
            data={expiryChoices}
            value={expiry.choice}
            onChange={(choice) => onFields({ expiry: { ...expiry, choice } })}
          />
        </Input.Wrapper>
        {expiry.choice === 'date' && (
          <TextInput
            type="datetime-local"
            label="Until, in the server's time"
            value={expiry.until}
            onChange={(event) => onFields({ expiry: { ...expiry, until: event.currentTarget.value } })}
          />
        )}
        {children}
      </Stack>
    </DialogForm>
  );
}
