import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotification } from './read-notification.ts';

const image = 'https://cdn.example/a.png';
const imageOf = (address: unknown) =>
  readNotification(JSON.stringify({ notification: { title: 'Hi', body: 'Bonus', image: address } })).image;

describe('the message of a push', () => {
  it('[PUSH-008, ENT-027] gives title, body and image of its notification', () => {
    const message = JSON.stringify({ notification: { title: 'Hi', body: 'Bonus', image }, data: { title: 'other' } });
    expect(readNotification(message)).toEqual({ title: 'Hi', body: 'Bonus', image });
  });

  it('[PUSH-008] leaves out what is missing or no text', () => {
    expect(readNotification('{"notification":{}}')).toEqual({ title: null, body: null, image: null });
    expect(readNotification('{"notification":{"title":7,"body":null,"image":["x"]}}')).toEqual({ title: null, body: null, image: null });
  });

  it.each(['Welcome: plain text', '', '{"notification":', '"text"', '{"title":"Hi"}', '{"notification":"Hi"}', 'null', '[]'])(
    '[AMB-152] is the unchanged body if it holds no notification: %s',
    (raw) => expect(readNotification(raw)).toEqual({ title: null, body: raw, image: null }),
  );

  it.each([
    'http://cdn.example/a.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'blob:https://cdn.example/1',
    'ftp://cdn.example/a.png',
    '//cdn.example/a.png',
    '/a.png',
    'a.png',
    'https://user:secret@cdn.example/a.png',
    'https://',
    ' ',
    '',
    7,
  ])('[PUSH-008, PUSH-009] never names %s as an image to load', (address) => expect(imageOf(address)).toBeNull());

  it('[PUSH-008] names nothing but https, whatever a message holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string()), (address) => {
        const imageAddress = imageOf(address);
        if (imageAddress !== null) expect(new URL(imageAddress).protocol).toBe('https:');
        if (/^https:\/\/[a-z]/.test(address)) expect(imageAddress).not.toBeNull();
      }),
    );
  });
});
