import { describe, expect, it } from 'vitest';
import { deviceName, isHandheld } from './device-name.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

describe('name of a device', () => {
  for (const [userAgent, name] of [
    [chrome, 'Chrome 141 on Windows'],
    [`${chrome} Edg/141.0.0.0`, 'Edge 141 on Windows'],
    [iphone, 'Safari 19 on iPhone'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox 143 on Linux'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36',
      'Chrome 153 on Linux',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macOS'],
    ['curl/8.5.0', 'curl 8'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
  ] as const) {
    it(`[AUTH-070] ${name}`, () => expect(deviceName(userAgent)).toBe(name));
  }

  it('[AUTH-070] distinguishes phones from desktops', () => {
    expect([chrome, iphone, null].map(isHandheld)).toEqual([false, true, false]);
  });
});
