const here = 'https://console.invalid';

/** The pages that guests may open. */
const loginPages = new Set(['/login', '/oauth/google', '/invitation', '/forgot-password', '/reset-password']);

/** Whether a path is one of the login pages. */
export function isLoginPage(pathname: string): boolean {
  return loginPages.has(pathname.replace(/\/+$/, ''));
}

/**
 * Whether a saved route may be opened after signing in: a path of this console with its query, never another origin
 * (`//evil`, `/\evil`, `javascript:`) and never a login page.
 */
export function isSafePath(path: string): boolean {
  // Browsers read a backslash as a slash and drop tabs and line ends inside an address.
  if (!path.startsWith('/') || /^\/[/\\]/.test(path) || /[\p{Cc}\\]/u.test(path)) return false;
  if (!URL.canParse(path, here)) return false;
  const url = new URL(path, here);
  return url.origin === here && !isLoginPage(url.pathname) && !url.pathname.startsWith('/oauth');
}
