import { useCallback, type KeyboardEvent } from 'react';
import { JsonView, type Props as JsonViewProps } from 'react-json-view-lite';
import classes from './json-tree.module.css';

const name = (key: string): string => classes[key] ?? key;

const style = {
  container: name('container'),
  basicChildStyle: name('child'),
  childFieldsContainer: name('fields'),
  label: name('label'),
  clickableLabel: name('label'),
  nullValue: name('null'),
  undefinedValue: name('null'),
  numberValue: name('number'),
  stringValue: name('string'),
  booleanValue: name('boolean'),
  otherValue: name('other'),
  punctuation: name('punctuation'),
  expandIcon: name('expand'),
  collapseIcon: name('collapse'),
  collapsedContent: name('collapsed'),
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  stringifyStringValues: true,
  ariaLables: { expandJson: 'Expand', collapseJson: 'Collapse' },
} satisfies JsonViewProps['style'];

type Props = {
  data: object;
  label: string;
  /** Branches from this depth on start collapsed; everything is open when it is null. */
  collapseFrom: number | null;
};

/** The library's expand marks are buttons that answer clicks and arrows only; a button answers Enter and Space as well. */
function press(event: KeyboardEvent<HTMLElement>): void {
  if ((event.key !== 'Enter' && event.key !== ' ') || !(event.target instanceof HTMLElement)) return;
  if (event.target.getAttribute('role') !== 'button') return;
  event.preventDefault();
  event.target.click();
}

/** A JSON value as a tree: Up and Down walk its branches, Left and Right close and open them. */
export function JsonTree({ data, label, collapseFrom }: Props) {
  // The tree goes back to its first state whenever this function is another one.
  const isOpen = useCallback((level: number) => collapseFrom === null || level < collapseFrom, [collapseFrom]);
  return (
    <div role="presentation" onKeyDown={press}>
      <JsonView data={data} aria-label={label} shouldExpandNode={isOpen} clickToExpandNode style={style} />
    </div>
  );
}
