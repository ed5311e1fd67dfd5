import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const plain = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

it('[DEV-010, AMB-156] the guide shows the examples of docs/request-cipher.md unchanged', () => {
  const documentedExamples = [...read('../../../../../docs/request-cipher.md').matchAll(/```(?:ts|kotlin|swift)\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  const shownExamples = [...read('mobile-guide.html').matchAll(/<\/summary>\s*<pre>\n(.*?)<\/pre/gs)].map(([, code = '']) => plain(code));
  expect(documentedExamples).toHaveLength(3);
  expect(shownExamples).toEqual(documentedExamples);
});
