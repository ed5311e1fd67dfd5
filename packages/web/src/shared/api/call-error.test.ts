import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reactionTo } from './call-error.ts';

const says = (message: string) => ({ success: false, message });

describe('error catalogue', () => {
  it('[ERR-002] uses the general text when there is no message', () => {
    expect(reactionTo({ status: 500, body: {} })).toMatchObject({ message: 'Something went wrong', hasServerMessage: false });
    expect(reactionTo({ status: 401, body: '' })).toMatchObject({ authError: 'Something went wrong', toast: null });
    expect(reactionTo({ status: 500, body: { message: '' } }).toast).toBe('Something went wrong');
  });

  it('[ERR-003] says when there was no response at all', () => {
    expect(reactionTo(null)).toMatchObject({ toast: 'Something went wrong, response is UNDEFINED', endsSession: false });
  });

  it('[ERR-004, ERR-005, AUTH-058] 401 ends the session and sets the auth error without a toast', () => {
    expect(reactionTo({ status: 401, body: says('You are not authorized') })).toMatchObject({
      endsSession: true,
      authError: 'You are not authorized',
      toast: null,
    });
  });

  it('[ERR-006, ERR-007, ERR-010, AMB-063] 402 and 404 set the auth error without a toast and keep the session', () => {
    for (const status of [402, 404]) {
      expect(reactionTo({ status, body: says('Not found') })).toMatchObject({ endsSession: false, authError: 'Not found', toast: null });
    }
  });

  it('[ERR-009] 403 shows nothing', () => {
    expect(reactionTo({ status: 403, body: says('You have no permission for this action') })).toMatchObject({
      authError: undefined,
      toast: null,
    });
  });

  it('[ERR-011, ERR-015, ERR-017] 422 joins the field messages into one toast and clears the auth error', () => {
    const errors = { name: ['Too short.', 'Taken.'], domain: ['Bad.'] };
    const reaction = reactionTo({ status: 422, body: { ...says('The given data was invalid.'), errors, data: { errors } } });
    expect(reaction).toMatchObject({ toast: 'Too short. Taken.\nBad.', authError: null, fields: errors });
  });

  it('[AMB-060] reads data.errors before errors', () => {
    const body = { ...says('x'), errors: { a: ['outer'] }, data: { errors: { b: ['inner'] } } };
    expect(reactionTo({ status: 422, body }).fields).toEqual({ b: ['inner'] });
    expect(reactionTo({ status: 422, body: { ...says('x'), errors: { a: ['outer'] } } }).fields).toEqual({ a: ['outer'] });
  });

  it('[ERR-016] 422 without field errors shows the general message', () => {
    expect(reactionTo({ status: 422, body: says('The given data was invalid.') }).toast).toBe('The given data was invalid.');
  });

  it('[ERR-012] any other failure shows the server message', () => {
    for (const status of [400, 409, 412, 413, 429, 500, 503]) expect(reactionTo({ status, body: says('No') }).toast).toBe('No');
  });

  it('[ERR-013] any other failure without a readable message shows the raw error', () => {
    expect(reactionTo({ status: 502, body: 'upstream is away' }).toast).toBe('upstream is away');
    expect(reactionTo({ status: 502, body: '<html><h1>Bad gateway</h1></html>' }).toast).toBe('The server answered with status 502');
  });

  it('[ERR-012] has a text for every answer and a toast exactly where the catalogue wants one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.anything(), (status, body) => {
        const reaction = reactionTo({ status, body });
        expect(reaction.message).not.toBe('');
        expect(reaction.toast === null).toBe([401, 402, 403, 404].includes(status));
        expect(reaction.endsSession).toBe(status === 401);
      }),
    );
  });
});
