import React from 'react';
import { flushSync } from 'react-dom';

/** One turn of the event loop, which fake clocks do not stop. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * React's production build, which is two to three times as quick in tests, has no `act`. Tests read the page right after they
 * render: so a render is carried out at once, and its effects have two turns to set state.
 */
Reflect.set(React, 'act', async (callback: () => unknown) => {
  const result = flushSync(callback);
  await result;
  await turn();
  await turn();
});
