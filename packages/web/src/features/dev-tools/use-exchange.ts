import { decodeRequest } from '@switchyard/contract/dev-tools';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { decodedLines } from './decoded-lines.ts';
import type { AppChannel } from './query-frame/ask-frame.ts';
import { readOutcome } from './read-outcome.ts';

/**
 * The decode field: what stands there, what it is decoded, and what went wrong. It is filled by hand, or by sending an
 * encoded request to an app; failures mark it and are notified once (DEV-008, DEV-020, DEV-021, AMB-160).
 */
export function useExchange() {
  const [text, setText] = useState('');
  const [lines, setLines] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [running, setRunning] = useState<'send' | 'decode' | null>(null);

  function begin(step: 'send' | 'decode', given: string): void {
    setRunning(step);
    setText(given);
    setLines(null);
    setError(null);
  }

  async function open(given: string): Promise<void> {
    begin('decode', given);
    try {
      const { data } = await call(decodeRequest, { body: { data: given } });
      setLines(decodedLines(data));
    } catch (failure) {
      // The error policy has notified it, as far as there is something to say.
      if (!(failure instanceof CallError)) throw failure;
      setError(failure.message);
    }
  }

  return {
    text,
    lines,
    error,
    running,
    change(typed: string): void {
      setText(typed);
      setLines(null);
      setError(null);
    },
    async decode(): Promise<void> {
      if (running !== null) return;
      await open(text).finally(() => setRunning(null));
    },
    async send(channel: AppChannel, domain: string, encoded: string): Promise<void> {
      if (running !== null) return;
      begin('send', '');
      try {
        const { consoleOrigin } = channel;
        const read = readOutcome(await channel.send(encoded), { domain, consoleOrigin, ownOrigin: window.location.origin });
        if ('encoded' in read) return await open(read.encoded);
        setError(read.message);
        notify({ type: 'danger', message: read.message, closeOnClick: true });
      } finally {
        setRunning(null);
      }
    },
  };
}
