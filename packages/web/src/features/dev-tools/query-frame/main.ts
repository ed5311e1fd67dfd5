import { createPageAnswer } from './answer-page.ts';
import { sendToApp } from './send-to-app.ts';

/** A value that the server wrote into the frame page. The content policy allows connections to that address only. */
function readMeta(name: string): string {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
}

const address = readMeta('query-address');
const answer = createPageAnswer({
  page: window.parent,
  own: window,
  origin: window.location.origin,
  description: { address, consoleOrigin: readMeta('console-origin') },
  send: (text) => sendToApp(address, text),
});
window.addEventListener('message', (event) => void answer(event));
