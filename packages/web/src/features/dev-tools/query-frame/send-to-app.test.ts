import { describe, expect, it } from 'vitest';
import { startSmallServer } from '../../../testing/small-server.ts';
import { answerLimit } from './frame-messages.ts';
import { sendToApp } from './send-to-app.ts';

describe('sending to the host of an app', () => {
  it('[DEV-007, S20] posts the text as it is, without token or cookies', async () => {
    const requests: { method: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
    const url = await startSmallServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ method: request.method, headers: request.headers, body });
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"success":false}');
      });
    });
    expect(await sendToApp(url, 'AQAB')).toEqual({ kind: 'answer', status: 400, type: 'application/json', text: '{"success":false}' });
    expect(requests).toMatchObject([{ method: 'POST', body: 'AQAB', headers: { 'content-type': 'text/plain;charset=UTF-8' } }]);
    for (const name of ['authorization', 'cookie', 'referer']) expect(requests[0]?.headers).not.toHaveProperty(name);
  });

  it('[DEV-020] gives up an answer that has no end', async () => {
    const url = await startSmallServer((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await sendToApp(url, 'AQAB')).toEqual({ kind: 'too-large' });
    const longest = await startSmallServer((_, response) => response.end('x'.repeat(answerLimit)));
    expect(await sendToApp(longest, 'AQAB')).toMatchObject({ kind: 'answer', text: 'x'.repeat(answerLimit) });
  });

  it('[DEV-020] reports a host that hangs up, and a missing one', async () => {
    const url = await startSmallServer((request) => request.destroy());
    expect(await sendToApp(url, 'AQAB')).toEqual({ kind: 'unreachable' });
    expect(await sendToApp('http://127.0.0.1:1/api/dev', 'AQAB')).toEqual({ kind: 'unreachable' });
  });
});
