import { writeFile } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import { setSize } from '../console/visit-console.ts';

/** A picture on a sheet: what it is called, and the file beside the sheet that holds it. */
export type SheetPicture = { title: string; file: string };

/** Few enough that each can still be read, and that a busy machine draws the sheet in time. */
const picturesOnSheet = 24;
const timeoutFactor = 120_000;
const style =
  'body{margin:8px;font:12px sans-serif;background:#888;columns:6;column-gap:8px}' +
  'figure{margin:0 0 8px;break-inside:avoid}img{width:100%;display:block}figcaption{background:#fff;padding:2px 4px}';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Writes HTML pages of thumbnails, `name-1.html` and on, into the folder of the pictures, and photographs each beside it. */
export async function writeContactSheets(browser: Browser, folder: string, name: string, pictures: readonly SheetPicture[]): Promise<void> {
  const page = await browser.newPage();
  await setSize(page, { width: 1800, height: 1000 });
  page.setDefaultTimeout(timeoutFactor);
  for (let from = 0; from < pictures.length; from += picturesOnSheet) {
    const figures = pictures
      .slice(from, from + picturesOnSheet)
      .map(({ title, file }) => `<figure><img src="${escape(file)}" alt=""><figcaption>${escape(title)}</figcaption></figure>`);
    const sheet = `${folder}/${name}-${from / picturesOnSheet + 1}`;
    await writeFile(`${sheet}.html`, `<!doctype html><title>${escape(name)}</title><style>${style}</style>${figures.join('')}`);
    await page.goto(`file://${sheet}.html`);
    await page.screenshot({ path: `${sheet}.png`, fullPage: true });
  }
  await page.close();
}
