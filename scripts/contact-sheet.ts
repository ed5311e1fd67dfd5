import { writeFile } from 'node:fs/promises';
import type { Browser } from '@playwright/test';

/** A picture on a sheet: what it is called, and the file beside the sheet that holds it. */
export type SheetPicture = { title: string; file: string };

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Writes an HTML page of thumbnails into a folder and photographs it; gives the picture's path. */
export async function writeContactSheet(
  browser: Browser,
  folder: string,
  name: string,
  pictures: readonly SheetPicture[],
): Promise<string> {
  const figures = pictures.map(
    ({ title, file }) => `<figure><img src="${escaped(file)}" alt=""><figcaption>${escaped(title)}</figcaption></figure>`,
  );
  const style =
    'body{margin:8px;font:12px sans-serif;background:#888;columns:6;column-gap:8px}' +
    'figure{margin:0 0 8px;break-inside:avoid}img{width:100%;display:block}figcaption{background:#fff;padding:2px 4px}';
  await writeFile(`${folder}/${name}.html`, `<!doctype html><title>${escaped(name)}</title><style>${style}</style>${figures.join('')}`);
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await page.goto(`file://${folder}/${name}.html`);
  const file = `${folder}/${name}.png`;
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
  return file;
}
