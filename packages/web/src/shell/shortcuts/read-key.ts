/** The command of a shortcut; `go` names the letter of a page. */
export type ShortcutCommand =
  | { kind: 'palette' | 'search' | 'help' | 'save' | 'next-row' | 'previous-row' | 'next-page' | 'previous-page' }
  | { kind: 'go'; letter: string };

/** A key press as the browser reports it, and where it happened. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'> & {
  /** Whether the key writes a character with AltGr, as `[` on many keyboards. */
  isAltGraph: boolean;
  isTyping: boolean;
};

/** Result of a key press; `goSince` is passed to the next one: when `g` was pressed, else null. */
export type ReadKey = { command: ShortcutCommand | null; goSince: number | null };

/** Milliseconds within which the letter of a page follows `g`. */
const goWithin = 1_500;

const singleKeys: Readonly<Record<string, ShortcutCommand>> = {
  '/': { kind: 'search' },
  '?': { kind: 'help' },
  j: { kind: 'next-row' },
  k: { kind: 'previous-row' },
  ']': { kind: 'next-page' },
  '[': { kind: 'previous-page' },
};

const commandKeys: ReadonlyMap<string, ShortcutCommand> = new Map([
  ['s', { kind: 'save' }],
  ['k', { kind: 'palette' }],
]);

/**
 * Reads a key press. Single keys never fire while typing, with a modifier, or when they are switched off (WCAG 2.1.4);
 * Ctrl or ⌘ with S or K always do. Letters are read by their place on keyboards of other scripts.
 */
export function readKey(pressedKey: PressedKey, goSince: number | null, hasSingleKeys: boolean): ReadKey {
  const key = latinKey(pressedKey);
  const hasModifier = (pressedKey.ctrlKey || pressedKey.metaKey || pressedKey.altKey) && !pressedKey.isAltGraph;
  const command = pressedKey.ctrlKey !== pressedKey.metaKey && !pressedKey.altKey ? commandKeys.get(key) : undefined;
  if (command !== undefined) return { command, goSince: null };
  if (!hasSingleKeys || hasModifier || pressedKey.isTyping) return { command: null, goSince: null };
  if (goSince !== null && pressedKey.timeStamp - goSince <= goWithin && /^[a-z]$/.test(key))
    return { command: { kind: 'go', letter: key }, goSince: null };
  if (key === 'g') return { command: null, goSince: pressedKey.timeStamp };
  return { command: (Object.hasOwn(singleKeys, key) ? singleKeys[key] : undefined) ?? null, goSince: null };
}

/** The key in lower case; that of a Latin keyboard where the layout writes another script. */
function latinKey({ key, code }: Pick<PressedKey, 'key' | 'code'>): string {
  const isOtherScript = key.length === 1 && key > '\u007F';
  const letter = isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (letter ?? key).toLowerCase();
}
