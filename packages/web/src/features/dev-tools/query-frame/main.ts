import { createPageAnswer } from './answer-page.ts';
import { sendToApp } from './send-to-app.ts';

/** What the server wrote into the page of the frame, where the policy lets the frame connect to that address alone. */
function written(name: string): string {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
}

const address = written('query-address');
const answer = createPageAnswer({
  page: window.parent,
  own: window,
  origin: window.location.origin,
  description: { address, consoleOrigin: written('console-origin') },
  send: (text) => sendToApp(address, text),
});
window.addEventListener('message', (event) => void answer(event));
