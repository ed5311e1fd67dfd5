import { execFileSync } from 'node:child_process';
import { ingestedEvent, ingestEvents } from '@switchyard/contract/ingest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRequest } from '../testing/sample-request.ts';
import { eventOf, ingestBody, ingestCommand, shellQuoted } from './request-command.ts';

/** Runs a command with a `curl` that prints its body, or its arguments. */
function run(command: string, curl: string): string {
  return execFileSync('bash', ['-c', `curl() { ${curl}; }\n${command}`], {
    encoding: 'utf8',
    env: { ...process.env, SWITCHYARD_TOKEN: 'swy_s1', LC_ALL: 'C.UTF-8' },
  });
}

const row = sampleRequest(5);
const hostile = fc.string({
  unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', '%', '\n', '\u0000', '\u001B', '\u202E', 'ж', '💡', 'a'),
});

it('[INV-039] the copied command sends the event as it was stored, whatever it contains', () => {
  fc.assert(
    fc.property(fc.jsonValue(), hostile, (json, text) => {
      const request = { ...row, body_request: { [text]: json }, user_agent: text, additional_data: text };
      const sentBody: unknown = JSON.parse(run(ingestCommand(request, 'https://console.example'), 'cat'));
      expect(sentBody).toEqual(JSON.parse(JSON.stringify({ events: [eventOf(request)] })));
    }),
    { numRuns: 15 },
  );
});

it('[INV-039] the body keeps its quotes in a shell and shows no hidden character', () => {
  const request = { ...row, user_agent: `it's \u202E$HOME` };
  const body = ingestBody(request);
  expect(run(`printf %s ${shellQuoted(body)}`, ':')).toBe(body);
  expect(body).toContain(String.raw`it's \u202e$HOME`);
});

it('[INV-039] the command calls ingestion with the token of the environment, and the event fits the contract', () => {
  const request = { ...row, stream: { uid: 's-1', name: "Anna's" }, bot: 'L1 CF', error: { message: 'Boom' } };
  expect(run(ingestCommand(request, 'https://console.example'), `printf '%s|' "$@"`)).toBe(
    '-X|POST|https://console.example/api/ingest/events|-H|Authorization: Bearer swy_s1|-H|Content-Type: application/json|--data-binary|@-|',
  );
  expect(Object.keys(eventOf(request)).toSorted()).toEqual(
    Object.keys(ingestedEvent.shape)
      .filter((name) => name !== 'bundle' && name !== 'is_qa')
      .toSorted(),
  );
  expect(ingestedEvent.parse(eventOf(request))).toMatchObject({
    stream_uid: 's-1',
    bot: ['L1', 'CF'],
    date: '2026-11-20T10:11:12.345678Z',
  });
  expect(ingestEvents.body.safeParse(JSON.parse(ingestBody(request))).success).toBe(true);
});
