// Runs before the first paint, so that a dark console never flashes white. The stored choice wins (AUTH-026),
// otherwise the system's. Key and values are those of src/shared/local-settings.ts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('switchyard_theme');
  } catch {
    // Storage is switched off: the system's theme it is.
  }
  const isChosen = stored === 'light' || stored === 'dark';
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.mantineColorScheme = isChosen ? stored : isSystemDark ? 'dark' : 'light';
})();
