/** A character that is invisible or changes the direction of text, and how to show it. */
export type HiddenCharacter = { character: string; mark: string; name: string };

/** Control and format characters, separators of lines, and letters without a picture. */
const candidates = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{34F}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;
/** Format characters that are visible, such as signs around numbers. */
const visibleControl = /[\n\t\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}]/u;
const joiners: ReadonlySet<string> = new Set(['\u200C', '\u200D']);
/** Emoji that a joiner combines, and scripts that need it between letters. */
const joiner =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

const names: Readonly<Record<number, readonly [mark: string, name: string]>> = {
  0xad: ['SHY', 'soft hyphen'],
  0x34f: ['CGJ', 'combining grapheme joiner'],
  0x61c: ['ALM', 'Arabic letter mark'],
  0x200b: ['ZWSP', 'zero-width space'],
  0x200c: ['ZWNJ', 'zero-width non-joiner'],
  0x200d: ['ZWJ', 'zero-width joiner'],
  0x200e: ['LRM', 'left-to-right mark'],
  0x200f: ['RLM', 'right-to-left mark'],
  0x2028: ['LS', 'line separator'],
  0x2029: ['PS', 'paragraph separator'],
  0x202a: ['LRE', 'left-to-right embedding'],
  0x202b: ['RLE', 'right-to-left embedding'],
  0x202c: ['PDF', 'pop directional formatting'],
  0x202d: ['LRO', 'left-to-right override'],
  0x202e: ['RLO', 'right-to-left override'],
  0x2060: ['WJ', 'word joiner'],
  0x2066: ['LRI', 'left-to-right isolate'],
  0x2067: ['RLI', 'right-to-left isolate'],
  0x2068: ['FSI', 'first strong isolate'],
  0x2069: ['PDI', 'pop directional isolate'],
  0xfeff: ['BOM', 'byte order mark'],
};

/** Splits a text into visible parts and hidden characters. Most texts are one part. */
export function splitHidden(text: string): (string | HiddenCharacter)[] {
  const parts: (string | HiddenCharacter)[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(candidates)) {
    const end = index + character.length;
    if (visibleControl.test(character) || isJoining(character, text.slice(0, index), text.slice(end))) continue;
    if (index > from) parts.push(text.slice(from, index));
    parts.push(describe(character));
    from = end;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

/** The text with marks in place of hidden characters, for places without markup such as native tooltips. */
export function withMarks(text: string): string {
  return splitHidden(text)
    .map((part) => (typeof part === 'string' ? part : part.mark))
    .join('');
}

/** The text as JSON writes it, with every hidden character escaped. */
export function jsonText(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** A key of an object, without quotes; two keys that differ never look alike. */
export function jsonKey(key: string): string {
  return escapeHidden(key.replaceAll(/\\(?=u)/g, String.raw`\\`));
}

/** The text with every hidden character escaped as in JSON. */
export function escapeHidden(text: string): string {
  return splitHidden(text)
    .map((part) => (typeof part === 'string' ? part : escape(part.character)))
    .join('');
}

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => String.raw`\u${hex(character.charCodeAt(at))}`).join('');
}

/** A joiner is legitimate within an emoji or a word of a script that needs it. */
function isJoining(character: string, before: string, after: string): boolean {
  return joiners.has(character) && joiner.test(lastOf(before)) && joiner.test(String.fromCodePoint(after.codePointAt(0) ?? 0));
}

function lastOf(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? '';
}

function describe(character: string): HiddenCharacter {
  const code = character.codePointAt(0) ?? 0;
  const place = `U+${hex(code).toUpperCase()}`;
  if (code <= 0x1f || code === 0x7f) {
    return { character, mark: String.fromCodePoint(code === 0x7f ? 0x2421 : 0x2400 + code), name: `${place} control character` };
  }
  const [mark, name] = names[code] ?? [place, 'character that does not show'];
  return { character, mark: `⟦${mark}⟧`, name: `${place} ${name}` };
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}
