/** Time spans of the widgets in milliseconds; those of features stand in the contract's `limits`, which widgets do not know. */
export const timeSpans = {
  /** After which a notification closes by itself (CONST-008). */
  notification: 20_000,
  /** After which a tooltip or a label's whole text that nobody points at or focuses goes away (WID-039, CONST-015, CONST-016). */
  tooltip: 3_000,
  /** For which the icon shows that it copied (WID-037, CONST-017). */
  copyIcon: 300,
  /** For which a box or a button with words shows that it copied (WID-038, CONST-017). */
  copyBox: 1_500,
} as const;
