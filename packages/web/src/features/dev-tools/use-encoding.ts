import { encodeRequest } from '@switchyard/contract/dev-tools';
import { useRef, useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { readRequestJson } from './read-request-json.ts';

/** Refusals that are about what was typed. */
const aboutInput = new Set<number | null>([400, 403, 413, 422]);

/**
 * What was typed and what became of it: the result goes to `onEncoded`, null where there is none. Whatever is typed
 * afterwards takes the result back, so that nobody sends what no longer stands there.
 */
export function useEncoding(onEncoded: (encoded: string | null) => void) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBodyRequest, setIsBodyRequest] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  /** Counts changes, so that an answer to an earlier text is known as such. */
  const changes = useRef(0);

  function settle(outcome: { encoded: string; isBodyRequest: boolean } | { error: string | null }): void {
    setError('error' in outcome ? outcome.error : null);
    setIsBodyRequest('encoded' in outcome && outcome.isBodyRequest);
    onEncoded('encoded' in outcome ? outcome.encoded : null);
  }

  async function encode(): Promise<void> {
    if (isBusy) return;
    const read = readRequestJson(typed);
    if ('message' in read) {
      settle({ error: read.message });
      notify({ type: 'danger', message: read.message, closeOnClick: true });
      return;
    }
    const asked = changes.current;
    setIsBusy(true);
    try {
      const { data } = await call(encodeRequest, { body: { data: read.data } });
      if (asked === changes.current) settle({ encoded: data, isBodyRequest: read.isBodyRequest });
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      if (asked === changes.current) settle({ error: aboutInput.has(failure.status) ? textOf(failure) : null });
    } finally {
      setIsBusy(false);
    }
  }

  const change = (text: string): void => {
    changes.current += 1;
    setTyped(text);
    settle({ error: null });
  };

  return {
    typed,
    change,
    error,
    isBodyRequest,
    isBusy,
    encode,
  };
}

/** What was wrong, in the words of the fields where there are some. */
function textOf(failure: CallError): string {
  return Object.values(failure.fields).flat().join(' ') || failure.message;
}
