import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Block } from './block.tsx';
import { CopyButton } from '../../shared/ui/copy.tsx';
import classes from './dev-doc.module.css';
import { encodeRequest } from '@switchyard/contract/dev-tools';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { readRequestJson } from './read-request-json.ts';
import { Writes, useReadOnly } from '../../shared/ui/read-only.tsx';

type Props = {
  /** The encoded input; null when there is none or the input has changed. */
  encodedText: string | null;
  onEncoded: (encodedText: string | null) => void;
};

/** Encodes JSON as devices send it, on the button or on Enter. */
export function CalculateRequest({ encodedText, onEncoded }: Props) {
  const { typed, change, error, isBodyRequest, isBusy, encode } = useEncoding(onEncoded);
  const isReadOnly = useReadOnly() !== null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void encode();
  };
  return (
    <Block title="Calculate Request" summary="Encodes a request as a device sends it, with the key of this console.">
      <Textarea
        label="JSON"
        description="Press Enter to encode, Shift+Enter for a new line. Of an object with body_request, only its value is encoded."
        placeholder={'{"gaid": "7c1e"}'}
        rows={9}
        resize="vertical"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        value={typed}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        disabled={isReadOnly}
      />
      <div className={classes['actions']}>
        <Writes>
          <Button onClick={() => void encode()} disabled={typed.trim() === ''} aria-busy={isBusy || undefined}>
            Encode
          </Button>
        </Writes>
        {isBodyRequest && <span className="note">body_request was encoded</span>}
      </div>
      <Textarea
        label="Encoded result"
        placeholder="Nothing encoded yet"
        rows={4}
        resize="vertical"
        readOnly
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        value={encodedText ?? ''}
      />
      <div className={classes['actions']}>
        <CopyButton label="Copy" text={encodedText} />
      </div>
    </Block>
  );
}

/** Statuses whose message is about the input. */
const inputStatuses = new Set<number | null>([400, 403, 413, 422]);

/**
 * The input and its encoding. The result goes to `onEncoded`, null when there is none. Changing the input clears the
 * result, so that an outdated result cannot be sent.
 */
function useEncoding(onEncoded: (encodedText: string | null) => void) {
  const [requestText, setRequestText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBodyRequest, setIsBodyRequest] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  /** Counts changes, so that an answer for an earlier input is ignored. */
  const changes = useRef(0);

  function settle(outcome: { encodedText: string; isBodyRequest: boolean } | { error: string | null }): void {
    setError('error' in outcome ? outcome.error : null);
    setIsBodyRequest('encodedText' in outcome && outcome.isBodyRequest);
    onEncoded('encodedText' in outcome ? outcome.encodedText : null);
  }

  async function encode(): Promise<void> {
    if (isBusy) return;
    const parsedInput = readRequestJson(requestText);
    if ('message' in parsedInput) {
      settle({ error: parsedInput.message });
      notify({ type: 'danger', message: parsedInput.message, closeOnClick: true });
      return;
    }
    const changeCount = changes.current;
    setIsBusy(true);
    try {
      const { data } = await call(encodeRequest, { body: { data: parsedInput.data } });
      if (changeCount === changes.current) settle({ encodedText: data, isBodyRequest: parsedInput.isBodyRequest });
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      if (changeCount === changes.current) settle({ error: inputStatuses.has(failure.status) ? messageOf(failure) : null });
    } finally {
      setIsBusy(false);
    }
  }

  const change = (text: string): void => {
    changes.current += 1;
    setRequestText(text);
    settle({ error: null });
  };

  return {
    typed: requestText,
    change,
    error,
    isBodyRequest,
    isBusy,
    encode,
  };
}

/** The field messages, else the message of the failure. */
function messageOf(failure: CallError): string {
  return Object.values(failure.fields).flat().join(' ') || failure.message;
}
