import type { Browser, Page } from '@playwright/test';
import { fillSignIn } from '../e2e/sign-in-form.ts';
import { demoScreens, settle, type DemoScreen } from './demo-screens.ts';

type Look = { readonly url: string; readonly theme: string; readonly viewport: { readonly width: number; readonly height: number } };
type Account = { readonly email: string; readonly password: string };

/** Opens a window of its own, in a theme and a size, with nothing that moves. */
export async function openWindow(browser: Browser, { url, theme, viewport }: Look): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL: url });
  await context.addInitScript((chosen) => {
    try {
      localStorage.setItem('switchyard_theme', chosen);
    } catch {
      // Frames in a sandbox have no storage.
    }
  }, theme);
  return context.newPage();
}

/** Opens the login page and waits until all of it is there. */
export async function openLogin(page: Page): Promise<void> {
  await page.goto('/login');
  await settle(page);
}

/** Signs in on the login page and waits for what comes after it. */
export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await fillSignIn(page, email, password);
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Screens whose names begin with one of the beginnings, which are separated by commas; the login page is told apart, being open anyway. */
export function chooseScreens(beginnings: string): { hasLogin: boolean; screens: readonly DemoScreen[] } {
  const isWanted = (name: string): boolean => beginnings.split(',').some((beginning) => name.startsWith(beginning));
  return { hasLogin: isWanted('login'), screens: demoScreens.filter(({ name }) => isWanted(name)) };
}
