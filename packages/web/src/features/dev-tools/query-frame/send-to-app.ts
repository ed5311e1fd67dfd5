import { answerLimit, hostTimeout, type SendOutcome } from './frame-messages.ts';

/**
 * Sends a text to the host of an app without token, cookies or referrer. Redirects are reported but not followed,
 * because the owner of a domain must not choose who receives the request.
 */
export async function sendToApp(address: string, text: string): Promise<SendOutcome> {
  const signal = AbortSignal.timeout(hostTimeout);
  try {
    const response = await fetch(address, {
      method: 'POST',
      // With this content type browsers send no preflight request.
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

/** The text of an answer; null when it exceeds the limit. */
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
