import { describe, expect, it, vi } from 'vitest';
import { createPageAnswer } from './answer-page.ts';
import type { SendOutcome } from './frame-messages.ts';

const origin = 'https://console.example';
const page = { name: 'page' };
const description = { address: 'https://acme-bet.example/api/dev', consoleOrigin: origin };
const textAnswer: SendOutcome = { kind: 'answer', status: 200, type: 'application/json', text: '{}' };

/** Sends the frame one message and returns the answer of its port. */
async function ask(message: { data: unknown; origin?: string; source?: unknown; hasPort?: boolean }, own: unknown = { name: 'frame' }) {
  const send = vi.fn<(text: string) => Promise<SendOutcome>>(async () => textAnswer);
  const postMessage = vi.fn<(answer: unknown) => void>();
  const port = Object.assign(new MessageChannel().port1, { postMessage });
  const source: unknown = 'source' in message ? message.source : page;
  await createPageAnswer({ page, own, origin, description, send })({
    data: message.data,
    origin: message.origin ?? origin,
    source,
    ports: message.hasPort === false ? [] : [port],
  });
  port.close();
  return { answers: postMessage.mock.calls.map(([answer]) => answer), sent: send.mock.calls.map(([text]) => text) };
}

describe('frame of Query', () => {
  it('[DEV-007, S20] names its target address to the page, and sends what the page requests', async () => {
    expect(await ask({ data: { kind: 'describe' } })).toEqual({ answers: [description], sent: [] });
    expect(await ask({ data: { kind: 'send', text: 'AQAB' } })).toEqual({ answers: [textAnswer], sent: ['AQAB'] });
  });

  it('[S20] hears nobody but the page around it, and nothing it does not know', async () => {
    const data = { kind: 'send', text: 'AQAB' };
    const silence = { answers: [], sent: [] };
    for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`, `${origin}:444`, 'http://console.example'])
      expect(await ask({ data, origin: foreign })).toEqual(silence);
    expect(await ask({ data, source: { name: 'other window' } })).toEqual(silence);
    expect(await ask({ data, source: null })).toEqual(silence);
    expect(await ask({ data, hasPort: false })).toEqual(silence);
    // Opened as a page of its own, it is its own parent.
    expect(await ask({ data }, page)).toEqual(silence);
    for (const unknown of [null, 'send', {}, { kind: 'send' }, { kind: 'send', text: 5 }, { kind: 'navigate', text: 'x' }])
      expect(await ask({ data: unknown })).toEqual(silence);
  });
});
