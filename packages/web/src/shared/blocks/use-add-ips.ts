import { addBlackIps, checkBlackIps, readIps, splitIps, type BlackIpWarning } from '@switchyard/contract/black-ips';
import type { AnswerOf } from '@switchyard/contract/endpoint';
import { useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';

const noWarnings: readonly BlackIpWarning[] = [];

/**
 * State of the popup that adds addresses; `first` is what it opens with. Invalid input becomes an alert. Suspicious addresses
 * become warnings, and are added when they are submitted again.
 */
export function useAddIps(first: string, onAdded: (ips: readonly string[], counts: AnswerOf<typeof addBlackIps>) => void) {
  const [input, setInput] = useState(first);
  const [reason, setReason] = useState('');
  const [alert, setAlert] = useState<string | null>(null);
  const [warnings, setWarnings] = useState(noWarnings);
  const [isBusy, setIsBusy] = useState(false);
  const canAdd = input.trim() !== '';

  async function send(ips: string[]): Promise<void> {
    if (warnings.length === 0) {
      const { data } = await call(checkBlackIps, { body: { ips } });
      setWarnings(data);
      if (data.length > 0) return;
    }
    const { data } = await call(addBlackIps, { body: { ips, reason } });
    onAdded(ips, data);
  }

  async function submit(): Promise<void> {
    if (!canAdd || isBusy) return;
    const parsedIps = readIps(splitIps(input));
    setAlert('message' in parsedIps ? parsedIps.message : null);
    if ('message' in parsedIps) return;
    setIsBusy(true);
    try {
      await send(parsedIps.ips);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // The error policy has shown errors that belong to no field.
      const texts = Object.values(error.fields).flat();
      if (texts.length > 0) setAlert(texts.join(' '));
    } finally {
      setIsBusy(false);
    }
  }

  return {
    input,
    setInput: (text: string): void => {
      setInput(text);
      setAlert(null);
      setWarnings(noWarnings);
    },
    reason,
    setReason,
    alert,
    warnings,
    isBusy,
    canAdd,
    submit,
  };
}
