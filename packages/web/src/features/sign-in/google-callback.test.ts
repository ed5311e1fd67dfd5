import { describe, expect, it } from 'vitest';
import { cancelledMessage, readCallback } from './google-callback.ts';

describe('callback of the external sign-in', () => {
  it('[AUTH-043, AUTH-045] posts code and state when the state is the kept one', () => {
    expect(readCallback('?code=4%2F0AX&state=Jx3k', 'Jx3k')).toEqual({ kind: 'exchange', body: { code: '4/0AX', state: 'Jx3k' } });
  });

  it('[AUTH-045, AMB-017] posts no state that this tab did not begin', () => {
    for (const storedState of [null, '', 'other']) {
      expect(readCallback('?code=c&state=Jx3k', storedState)).toEqual({ kind: 'exchange', body: { code: 'c' } });
    }
    expect(readCallback('?code=c', 'Jx3k')).toEqual({ kind: 'exchange', body: { code: 'c' } });
  });

  it('[AUTH-044] goes to login without a code', () => {
    for (const query of ['', '?code=', '?state=Jx3k']) expect(readCallback(query, 'Jx3k')).toEqual({ kind: 'login' });
  });

  it('[AUTH-047, ERR-019] takes an error for a failure and repeats none of its words', () => {
    expect(readCallback('?error=access_denied&state=Jx3k', 'Jx3k')).toEqual({ kind: 'rejected', message: cancelledMessage });
    expect(readCallback('?error=Call+0800+1234&error_description=evil&code=c', 'x')).toEqual({
      kind: 'rejected',
      message: 'Google sign-in failed',
    });
  });
});
