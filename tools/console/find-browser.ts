import chromium from '@sparticuz/chromium';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function runs(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The browser of the tests: the packaged headless Chromium, unpacked on first use. It is the same everywhere and three times as
 * fast as a full one. On a machine that cannot run it, the installed one.
 */
export async function findBrowser(): Promise<string> {
  const packagedBrowser = await chromium.executablePath();
  if (runs(packagedBrowser)) return packagedBrowser;
  const own = systemBrowsers.find((path) => existsSync(path));
  if (own === undefined) throw new Error('No browser: the packaged Chromium does not run here and none is installed.');
  return own;
}

/** An installed Firefox, whose version is the machine's own; undefined when there is none. */
export function findFirefox(): string | undefined {
  return ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'].find((path) => existsSync(path));
}
