import { decodeRequest } from '@switchyard/contract/dev-tools';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { decodedLines, readOutcome } from './read-outcome.ts';
import type { AppChannel } from './query-frame/query-frame.tsx';

/**
 * The state of the decode field: its text, the decoded lines and the error. It is filled by hand or by the answer of
 * an app. Failures mark the field and are notified once.
 */
export function useExchange() {
  const [text, setText] = useState('');
  const [lines, setLines] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [runningStep, setRunningStep] = useState<'send' | 'decode' | null>(null);

  function begin(step: 'send' | 'decode', givenText: string): void {
    setRunningStep(step);
    setText(givenText);
    setLines(null);
    setError(null);
  }

  async function open(givenText: string): Promise<void> {
    begin('decode', givenText);
    try {
      const { data } = await call(decodeRequest, { body: { data: givenText } });
      setLines(decodedLines(data));
    } catch (failure) {
      // The error policy has shown it already.
      if (!(failure instanceof CallError)) throw failure;
      setError(failure.message);
    }
  }

  return {
    text,
    lines,
    error,
    running: runningStep,
    change(typedText: string): void {
      setText(typedText);
      setLines(null);
      setError(null);
    },
    async decode(): Promise<void> {
      if (runningStep !== null) return;
      await open(text).finally(() => setRunningStep(null));
    },
    async send(channel: AppChannel, domain: string, encodedText: string): Promise<void> {
      if (runningStep !== null) return;
      begin('send', '');
      try {
        const { consoleOrigin } = channel;
        const outcome = readOutcome(await channel.send(encodedText), { domain, consoleOrigin, ownOrigin: window.location.origin });
        if ('encodedText' in outcome) return await open(outcome.encodedText);
        setError(outcome.message);
        notify({ type: 'danger', message: outcome.message, closeOnClick: true });
      } finally {
        setRunningStep(null);
      }
    },
  };
}
