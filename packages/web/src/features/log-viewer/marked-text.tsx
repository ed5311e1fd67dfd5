import { Mark } from '@mantine/core';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

/** A text with what was searched for marked in it, in whichever case it stands. */
export function MarkedText({ text, term }: { text: string; term: string }) {
  if (term === '') return <VisibleText text={text} />;
  // What stands at an odd place is what the group caught.
  const parts = text.split(new RegExp(`(${term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)})`, 'i'));
  return withPlaces(parts).map(({ part, at }) =>
    at % 2 === 1 ? (
      <Mark key={at}>
        <VisibleText text={part} />
      </Mark>
    ) : (
      <VisibleText key={at} text={part} />
    ),
  );
}

/** Parts with their places, by which alike ones are told apart. */
function withPlaces(parts: readonly string[]) {
  return parts.map((part, at) => ({ part, at }));
}
