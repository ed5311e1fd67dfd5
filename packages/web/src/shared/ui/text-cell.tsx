import { withMarks } from '../shared/ui/hidden-characters.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';

/** A text that somebody else chose, `-` for none; the column may cut it, so its tooltip has the whole of it. */
export function TextCell({ text }: { text: string }) {
  if (text === '') return '-';
  return (
    <span title={withMarks(text)}>
      <VisibleText text={text} />
    </span>
  );
}
