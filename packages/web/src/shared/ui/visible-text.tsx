import { splitHidden } from './hidden-characters.ts';
import classes from './visible-text.module.css';

/** Writings that run from right to left. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A text that came from outside: what turns its direction or does not show stands there as a mark, and a text from right to
 * left never moves what stands around it. It is copied as it came.
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

/** Parts with their places, by which alike ones are told apart. */
function withPlaces<Part>(parts: readonly Part[]) {
  return parts.map((part, at) => ({ part, at }));
}
