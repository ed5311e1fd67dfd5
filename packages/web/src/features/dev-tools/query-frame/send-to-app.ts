import { answerLimit, hostPatience, type SendOutcome } from './frame-messages.ts';

/**
 * Sends a text to the host of an app (api [73]) without token, cookies or referrer. A redirect is not followed, only told:
 * whoever holds the domain must not choose who gets what is sent (S20).
 */
export async function sendToApp(address: string, text: string): Promise<SendOutcome> {
  const signal = AbortSignal.timeout(hostPatience);
  try {
    const response = await fetch(address, {
      method: 'POST',
      // One of the few types for which a browser asks the host nothing beforehand.
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: text,
      mode: 'cors',
      credentials: 'omit',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal,
    });
    if (response.type === 'opaqueredirect') return { kind: 'redirect' };
    const answer = await readText(response);
    if (answer === null) return { kind: 'too-large' };
    return { kind: 'answer', status: response.status, type: response.headers.get('content-type') ?? '', text: answer };
  } catch {
    return { kind: signal.aborted ? 'timeout' : 'unreachable' };
  }
}

/** The text of an answer; null when it is longer than any real one. */
async function readText(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > answerLimit) {
      await reader.cancel();
      return null;
    }
  }
  return text;
}
