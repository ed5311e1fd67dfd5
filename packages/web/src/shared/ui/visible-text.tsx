import { splitHidden } from './hidden-characters.ts';
import classes from './visible-text.module.css';

/** Scripts written from right to left. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Text from outside the console. Hidden and bidirectional control characters are shown as marks, and right-to-left
 * text does not reorder the text around it. Copying gives the original text.
 */
export function VisibleText({ text }: { text: string }) {
  const parts = splitHidden(text);
  if (parts.length === 1 && parts[0] === text && !rightToLeft.test(text)) return text;
  return <bdi>{withPlaces(parts).map(({ part, at }) => (typeof part === 'string' ? part : <HiddenMark key={at} {...part} />))}</bdi>;
}

function HiddenMark({ character, mark, name }: { character: string; mark: string; name: string }) {
  return (
    <span className={classes['mark']} data-mark={mark} title={name}>
      {character}
    </span>
  );
}

/** Parts with their positions as keys, because equal parts may repeat. */
function withPlaces<Part>(parts: readonly Part[]) {
  return parts.map((part, at) => ({ part, at }));
}
