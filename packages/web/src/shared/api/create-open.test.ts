import { downloadPostbacks, downloadAllRequests } from '@switchyard/contract/request-exports';
import { describe, expect, it } from 'vitest';
import { startSmallServer } from '../../testing/small-server.ts';
import { CallError, type Reaction } from './call-error.ts';
import type { CallOutcome } from './create-call.ts';
import { createOpen } from './create-open.ts';

const going = (): AbortSignal => new AbortController().signal;

function openAt(base: string, changes: Partial<Parameters<typeof createOpen>[0]> = {}) {
  const reactions: Reaction[] = [];
  const outcomes: CallOutcome['kind'][] = [];
  const open = createOpen({
    send: (url, init) => fetch(base + url, init),
    accessToken: () => 'swy_1',
    react: (reaction) => reactions.push(reaction),
    observe: (outcome) => outcomes.push(outcome.kind),
    ...changes,
  });
  return { open, reactions, outcomes };
}

const refusal = async (promise: Promise<unknown>): Promise<CallError> => {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof CallError) return error;
  throw new Error('Not refused', { cause: error });
};

describe('opening a file or a stream', () => {
  it('[AUTH-067, EVT-037, REQ-033] asks with the token and the filters, and gives the answer before it has ended', async () => {
    const questions: unknown[] = [];
    const base = await startSmallServer(({ url, headers }, response) => {
      questions.push(url, headers.authorization, headers.accept);
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).write('id\r\n');
    });
    const { open, outcomes } = openAt(base);
    const { response } = await open(downloadPostbacks, {
      params: { id: 12 },
      query: { search: 'c-88', type: ['create'], orderBy: 'type', orderDirection: 'asc' },
      signal: going(),
    });
    expect(questions).toEqual([
      '/api/apps/12/postbacks/download?search=c-88&type[]=create&orderBy=type&orderDirection=asc',
      'Bearer swy_1',
      'text/csv, application/json',
    ]);
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('id\r\n');
    expect(outcomes).toEqual(['answer']);
  });

  it('[ERR-001, ERR-012, ERR-004] lets the error policy handle an error unless the caller shows it', async () => {
    const answers = [503, 503, 401];
    const base = await startSmallServer((_, response) => {
      const status = answers.shift() ?? 500;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: false, message: `No ${status}` }));
    });
    const { open, reactions } = openAt(base);
    expect(await refusal(open(downloadAllRequests, { signal: going() }))).toMatchObject({ status: 503, message: 'No 503' });
    expect(reactions).toMatchObject([{ toast: 'No 503' }]);
    const showsFailureItself = (status: number | null): boolean => status === 503;
    await refusal(open(downloadAllRequests, { signal: going(), showsFailureItself }));
    expect(reactions).toHaveLength(1);
    await refusal(open(downloadAllRequests, { signal: going(), showsFailureItself }));
    expect(reactions[1]).toMatchObject({ endsSession: true, authError: 'No 401' });
  });

  it('[IDN-107] opens a file again once the user has confirmed who they are', async () => {
    let hasConfirmed = false;
    const base = await startSmallServer((_, response) => {
      if (hasConfirmed) {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{}\n');
        return;
      }
      response.writeHead(403, { 'content-type': 'application/json' });
      const data = { reauthentication: { methods: ['password'] } };
      response.end(JSON.stringify({ success: false, message: 'Confirm that it is you', data }));
    });
    const confirmIdentity = async (): Promise<boolean> => {
      hasConfirmed = true;
      return true;
    };
    const { open, reactions } = openAt(base, { confirmIdentity });
    const { response } = await open(downloadAllRequests, { signal: going() });
    expect([response.status, await response.text(), reactions.map(({ toast }) => toast)]).toEqual([200, '{}\n', [null]]);
  });

  it('[ERR-003] reports that no answer came, and nothing if the caller aborted', async () => {
    const base = await startSmallServer(({ socket }) => socket.destroy());
    const { open, reactions, outcomes } = openAt(base);
    expect((await refusal(open(downloadAllRequests, { signal: going() }))).status).toBeNull();
    expect(reactions).toMatchObject([{ toast: 'Something went wrong, response is UNDEFINED' }]);
    expect(outcomes).toEqual(['unreachable']);
    await expect(open(downloadAllRequests, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(reactions).toHaveLength(1);
  });

  it('[ERR-004, AUTH-058] treats an error in the middle of a stream like the error of a call', async () => {
    const base = await startSmallServer((_, response) => response.end());
    const { open, reactions } = openAt(base);
    const { refuse } = await open(downloadAllRequests, { signal: going() });
    const error = refuse({ status: 401, body: { success: false, message: 'You are not authorized' } });
    expect(error).toMatchObject({ status: 401, message: 'You are not authorized' });
    expect(reactions).toMatchObject([{ endsSession: true }]);
  });
});
