import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const plain = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

it('[DEV-010, AMB-156] the guide shows the examples of docs/request-cipher.md as they stand there', () => {
  const documented = [...read('../../../../../docs/request-cipher.md').matchAll(/```(?:ts|kotlin|swift)\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  const shown = [...read('mobile-guide.html').matchAll(/<\/summary>\s*<pre>\n(.*?)<\/pre/gs)].map(([, code = '']) => plain(code));
  expect(documented).toHaveLength(3);
  expect(shown).toEqual(documented);
});
