import type { Send } from './create-call.ts';

/** The answer's header lines as the browser gives them: `name: value`, one a line. */
function readHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * Sends like `fetch`, and reports the share of the body that was sent, from 0 to 1, which `fetch` cannot. Rejects with a
 * TypeError when no answer came and with the signal's reason when it was broken off.
 */
export const sendWithProgress =
  (onProgress: (share: number) => void): Send =>
  (url, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const stop = (): void => request.abort();
      request.open(init.method, url);
      for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded: loadedBytes, total }) => onProgress(total > 0 ? loadedBytes / total : 0));
      request.addEventListener('load', () => {
        const body = request.status === 204 ? null : request.responseText;
        resolve(new Response(body, { status: request.status, headers: readHeaders(request.getAllResponseHeaders()) }));
      });
      request.addEventListener('error', () => reject(new TypeError('The server could not be reached')));
      request.addEventListener('abort', () => reject(init.signal.reason));
      request.addEventListener('loadend', () => init.signal.removeEventListener('abort', stop));
      init.signal.addEventListener('abort', stop);
      if (init.signal.aborted) reject(init.signal.reason);
      else request.send(init.body ?? null);
    });
