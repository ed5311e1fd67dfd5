import { useMemo } from 'react';
import { JsonTree } from './json-tree.tsx';
import { readBody, searchJson } from './json-search.ts';
import classes from './json-panel.module.css';
import { PanelPart } from './panel-part.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { jsonCollapseDepth } from '../ui/display-limits.ts';

/** A part as its panel declares it; a null or empty body shows 'None'. */
export type Part = { title: string; body: unknown; tone?: 'danger' | undefined };

type Props = Part & {
  /** Only what contains this is shown; everything when it is empty. */
  term: string;
};

/**
 * One part of a panel: JSON as a tree that is collapsed from the fourth level on, anything else as text.
 */
export function JsonPart({ title, body, term, tone }: Props) {
  const content = useMemo(() => readBody(body), [body]);
  const matchingData = useMemo(
    () => (content === null ? null : searchJson('tree' in content ? content.tree : { json: JSON.stringify(content.text) }, term)),
    [content, term],
  );
  const isSearching = term.trim() !== '';
  return (
    <PanelPart
      title={title}
      tone={tone}
      copyText={content === null ? undefined : 'tree' in content ? content.json : content.text}
      note={
        content !== null &&
        isSearching && <span className="caption">{matchingData === null ? 'No match' : matches(matchingData.count)}</span>
      }
    >
      {content === null ? (
        <p className={classes['none']}>None</p>
      ) : matchingData === null ? null : 'members' in matchingData.node ? (
        <JsonTree data={matchingData.node} label={title} collapseFrom={isSearching ? null : jsonCollapseDepth} />
      ) : (
        <p className={classes['text']}>
          <VisibleText text={'text' in content ? content.text : content.json} />
        </p>
      )}
    </PanelPart>
  );
}

function matches(count: number): string {
  return count === 1 ? '1 match' : `${count} matches`;
}
