/** Browsers by their token in the user agent, in order: most of them also carry the tokens of later ones. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bYaBrowser\/(\d+)/, 'Yandex Browser'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
  [/\bcurl\/(\d+)/, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A readable name of a device: `Chrome 141 on Windows`; browser or system alone when the other is unknown. */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? '';
  const browser = browsers.map(([pattern, name]) => [pattern.exec(text)?.[1], name] as const).find(([version]) => version !== undefined);
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  const browserName = browser === undefined ? undefined : `${browser[1]} ${browser[0]}`;
  if (browserName !== undefined && system !== undefined) return `${browserName} on ${system}`;
  return browserName ?? system ?? 'Unknown device';
}

/** Whether a user agent is that of a phone or tablet. */
export function isHandheld(userAgent: string | null): boolean {
  return /\b(?:Mobile|Android|iPhone|iPad)\b/.test(userAgent ?? '');
}
