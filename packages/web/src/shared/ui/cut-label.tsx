import { cutFrom } from './text-format.ts';
import { HoverTooltip } from './hover-tooltip.tsx';
import { VisibleText } from './visible-text.tsx';

type Props = {
  text: string;
  /** Length after which texts are cut. */
  to: number;
  /** Texts shorter than this stay whole; by default one more than `to`. */
  from?: number;
};

/** A truncated text with the full text in a tooltip. */
export function CutLabel({ text, to, from = to + 1 }: Props) {
  const cutText = cutFrom(text, from, to);
  if (cutText === text)
    return (
      <span className="cut">
        <VisibleText text={text} />
      </span>
    );
  return (
    <HoverTooltip label={text} isFocusable>
      <span className="cut">
        <VisibleText text={cutText} />
      </span>
    </HoverTooltip>
  );
}
