/** Pixels of the icon sizes of the specification (WID-040). */
export const iconSizes = { xs: 12, s: 14, m: 16, l: 20, xl: 24 } as const;
export type IconSize = keyof typeof iconSizes;
