import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  Input,
  Loader,
} from '@mantine/core';

/** Meanings a colour may have; each has a soft, a solid and a text tone in palette.css. */
const tones = ['accent', 'success', 'warning', 'danger', 'info', 'neutral'] as const;
type Tone = (typeof tones)[number];

/** The kit asks for ten shades of each colour; ours come from palette.css, so that both themes have their own. */
function shades(tone: Tone): MantineColorsTuple {
  const [soft, line, solid, strong] = [`var(--sy-${tone}-soft)`, `var(--sy-${tone}-line)`, `var(--sy-${tone})`, `var(--sy-${tone}-hover)`];
  return [soft, soft, line, line, solid, solid, solid, solid, strong, strong];
}

function toneVariables(tone: Tone): Record<string, string> {
  const name = `--mantine-color-${tone}`;
  const own = `var(--sy-${tone}`;
  return {
    [`${name}-filled`]: `${own})`,
    [`${name}-filled-hover`]: `${own}-hover)`,
    [`${name}-light`]: `${own}-soft)`,
    [`${name}-light-hover`]: `${own}-soft-hover)`,
    [`${name}-light-color`]: `${own}-text)`,
    [`${name}-outline`]: `${own}-text)`,
    [`${name}-outline-hover`]: `${own}-soft)`,
    [`${name}-text`]: `${own}-text)`,
  };
}

const schemeVariables: Record<string, string> = {
  '--mantine-color-body': 'var(--sy-surface)',
  '--mantine-color-text': 'var(--sy-text)',
  '--mantine-color-bright': 'var(--sy-text)',
  '--mantine-color-dimmed': 'var(--sy-dimmed)',
  '--mantine-color-placeholder': 'var(--sy-placeholder)',
  '--mantine-color-error': 'var(--sy-danger-text)',
  '--mantine-color-success': 'var(--sy-success-text)',
  '--mantine-color-anchor': 'var(--sy-accent-text)',
  '--mantine-color-default': 'var(--sy-surface)',
  '--mantine-color-default-hover': 'var(--sy-hover)',
  '--mantine-color-default-color': 'var(--sy-text)',
  '--mantine-color-default-border': 'var(--sy-line-strong)',
  '--mantine-color-disabled': 'var(--sy-sunken)',
  '--mantine-color-disabled-color': 'var(--sy-placeholder)',
  '--mantine-color-disabled-border': 'var(--sy-line)',
  '--mantine-primary-color-contrast': '#fff',
  ...Object.assign({}, ...tones.map(toneVariables)),
};

/** Points the kit's colours at the palette, which knows both themes itself. */
const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: schemeVariables, dark: schemeVariables });

const greys: Record<'light' | 'dark', MantineColorsTuple> = {
  light: ['#f6f7f9', '#eff1f4', '#e3e6eb', '#d0d5dd', '#d0d5dd', '#858d9b', '#666e7d', '#555d6c', '#3c424d', '#171a21'],
  dark: ['#e7e9ed', '#c9ced8', '#a4abb9', '#8f97a7', '#2a303a', '#1d222a', '#1a1e25', '#14171c', '#0e1014', '#0b0d10'],
};

/** Sizes, type and defaults of the kit: 4 px grid, 14 px body, 13 px controls and tables, 12 px labels. */
const theme = createTheme({
  primaryColor: 'accent',
  colors: {
    accent: shades('accent'),
    success: shades('success'),
    warning: shades('warning'),
    danger: shades('danger'),
    info: shades('info'),
    neutral: shades('neutral'),
    // Greys that single parts of the kit ask for: `gray` in the light theme, `dark` in the dark one.
    gray: greys.light,
    dark: greys.dark,
  },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.33', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  // 48em is the first width past a phone (767 px), 71.25em the first desktop width (1140 px).
  breakpoints: { xs: '36em', sm: '48em', md: '62em', lg: '71.25em', xl: '90em' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // Without `extend`, which would load these components with the sign-in page.
    Badge: { defaultProps: { size: 'sm', radius: 'sm', variant: 'light', tt: 'none' } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' }, radius: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 300, withinPortal: true } },
    Input: Input.extend({ defaultProps: { size: 'sm' } }),
    Loader: Loader.extend({ defaultProps: { size: 'sm' } }),
  },
});

/** Sets the kit up. Its provider writes every variable, so the sheet with the default ones is not loaded. */
export const kitSetup = { theme, cssVariablesResolver, deduplicateCssVariables: false } as const;

/** Where the chosen theme is kept; `onChange` is called for a choice made in another tab; returns a function that unsubscribes. */
type ThemeStorage = {
  get: () => 'light' | 'dark' | null;
  set: (value: 'light' | 'dark') => void;
  remove: () => void;
};

/** Keeps the chosen theme in the given storage; until something was chosen the system's theme counts. */
export function colorSchemeManager(storage: ThemeStorage, onOtherTab: (onChange: () => void) => () => void): MantineColorSchemeManager {
  let stop: (() => void) | undefined;
  return {
    get: (fallback) => storage.get() ?? fallback,
    set: (value) => (value === 'auto' ? storage.remove() : storage.set(value)),
    subscribe: (onUpdate) => {
      stop = onOtherTab(() => onUpdate(storage.get() ?? 'auto'));
    },
    unsubscribe: () => stop?.(),
    clear: () => storage.remove(),
  };
}
