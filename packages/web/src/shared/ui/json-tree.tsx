import { useCallback, useMemo, type KeyboardEvent } from 'react';
import { JsonView, type Props as JsonViewProps } from 'react-json-view-lite';
import classes from './json-tree.module.css';
import { jsonKey, jsonText } from './hidden-characters.ts';

const name = (key: string): string => classes[key] ?? key;

const style = {
  container: name('container'),
  basicChildStyle: name('child'),
  childFieldsContainer: '',
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
  // Texts are in JSON notation already.
  noQuotesForStringValues: true,
  quotesForFieldNames: false,
  stringifyStringValues: false,
  ariaLables: { expandJson: 'Expand', collapseJson: 'Collapse' },
} satisfies JsonViewProps['style'];

type Props = {
  data: object;
  label: string;
  /** Branches from this depth on start collapsed; everything is open when it is null. */
  collapseFrom: number | null;
};

/** The expand buttons of the library handle clicks and arrow keys only; this adds Enter and Space. */
function press(event: KeyboardEvent<HTMLElement>): void {
  if ((event.key !== 'Enter' && event.key !== ' ') || !(event.target instanceof HTMLElement)) return;
  if (event.target.getAttribute('role') !== 'button') return;
  event.preventDefault();
  event.target.click();
}

/**
 * The same value with its texts in JSON notation and hidden or bidirectional characters escaped. Text selected in the
 * tree is still the original value.
 */
function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return jsonText(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  return isBranch(value) ? escapeObject(value) : value;
}

function escapeObject(value: object): object {
  // A null prototype keeps a key such as `__proto__`, which traffic may carry, an ordinary key.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, child] of Object.entries(value)) copy[jsonKey(key)] = escapeTexts(child);
  return copy;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A JSON value as a tree. Up and Down move between branches, Left and Right close and open them. */
export function JsonTree({ data, label, collapseFrom }: Props) {
  // The tree resets whenever this function changes.
  const isOpen = useCallback((level: number) => collapseFrom === null || level < collapseFrom, [collapseFrom]);
  const shownData = useMemo(() => (Array.isArray(data) ? data.map(escapeTexts) : escapeObject(data)), [data]);
  return (
    <div role="presentation" onKeyDown={press}>
      <JsonView data={shownData} aria-label={label} shouldExpandNode={isOpen} clickToExpandNode style={style} />
    </div>
  );
}
