import { withMarks } from './hidden-characters.ts';
import { VisibleText } from './visible-text.tsx';

/** A text that somebody else chose, with the whole of it as tooltip: its column may cut it. */
export function TitledText({ text }: { text: string }) {
  return (
    <span title={withMarks(text)}>
      <VisibleText text={text} />
    </span>
  );
}

/** A text in a cell that may have none: `-`. */
export function TextCell({ text }: { text: string }) {
  return text === '' ? '-' : <TitledText text={text} />;
}
