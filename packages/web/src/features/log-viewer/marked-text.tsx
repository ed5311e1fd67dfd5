import { Mark } from '@mantine/core';

/** A text with what was searched for marked in it, in whichever case it stands. */
export function MarkedText({ text, term }: { text: string; term: string }) {
  if (term === '') return text;
  // What stands at an odd place is what the group caught.
  const parts = text.split(new RegExp(`(${term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)})`, 'i'));
  let at = 0;
  return parts.map((part, place) => {
    at += part.length;
    return place % 2 === 1 ? <Mark key={at}>{part}</Mark> : part;
  });
}
