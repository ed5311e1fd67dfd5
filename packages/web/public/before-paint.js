// Runs before the first paint. Keys and values are those of src/shared/local-settings.ts.
(() => {
  let theme = null;
  let token = null;
  try {
    theme = localStorage.getItem('switchyard_theme');
    token = localStorage.getItem('switchyard_token');
  } catch {
    // Storage is switched off: the system's theme it is.
  }

  // A dark console never flashes white. The stored choice wins (AUTH-026), otherwise the system's.
  const isChosen = theme === 'light' || theme === 'dark';
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.mantineColorScheme = isChosen ? theme : isSystemDark ? 'dark' : 'light';

  // The sign-in page has no text of fixed width, so its font is loaded ahead for who is signed in.
  const font = document.querySelector('meta[name="fixed-width-font"]');
  if (token === null || font === null) return;
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: font.content });
  document.head.append(link);
})();
