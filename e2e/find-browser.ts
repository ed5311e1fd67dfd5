import chromium from '@sparticuz/chromium';
import { existsSync } from 'node:fs';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's Chromium, else the packaged one, which is unpacked on first use. */
export async function findBrowser(): Promise<string> {
  return installed.find((path) => existsSync(path)) ?? (await chromium.executablePath());
}
