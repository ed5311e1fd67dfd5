import { Button } from '@mantine/core';
import { testChannel, type Channel, type TestResult } from '@switchyard/contract/channels';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { Fact } from '../../shared/ui/fact.tsx';
import { Popup } from '../../shared/ui/popup.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './channels.module.css';
import { Writes } from '../../shared/ui/read-only.tsx';

/** Sends a test message over a channel and shows what the receiver answered. */
export function SendTest({ channel: { id, name, kind } }: { channel: Pick<Channel, 'id' | 'name' | 'kind'> }) {
  const [isRunning, setIsRunning] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [result, setResult] = useState<TestResult | null>(null);
  const send = async (): Promise<void> => {
    setIsRunning(true);
    try {
      setResult((await call(testChannel, { params: { id } })).data);
      setIsOpen(true);
    } catch (error) {
      // The error policy has shown it.
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <>
      <Writes>
        <Button
          size="compact-md"
          variant="default"
          loading={isRunning}
          leftSection={<IconBell size={16} aria-hidden />}
          onClick={() => void send()}
        >
          Send a test
        </Button>
      </Writes>
      <Popup isOpen={isOpen} onClose={() => setIsOpen(false)} title={`Test of ${name}`} width={520}>
        {result !== null && <Answer result={result} />}
        {kind === 'console' && result?.is_sent === true && (
          <Button component={AppLink} href={paths.inbox()} mt="md">
            Open the inbox
          </Button>
        )}
      </Popup>
    </>
  );
}

function Answer({ result: { is_sent: isSent, status, answer, milliseconds } }: { result: TestResult }) {
  return (
    <div className={classes['answer']}>
      <output className={classes['outcome']} data-tone={isSent ? 'success' : 'danger'}>
        {isSent ? 'The receiver accepted the message.' : 'The message was not delivered.'}
      </output>
      <dl className={classes['facts']}>
        {(status !== null || !isSent) && <Fact name="Status">{status ?? 'No answer'}</Fact>}
        <Fact name="Time">{groupedNumber(milliseconds)} ms</Fact>
      </dl>
      {answer !== '' && (
        <pre className={classes['text']} aria-label="Answer">
          <VisibleText text={answer} />
        </pre>
      )}
    </div>
  );
}
