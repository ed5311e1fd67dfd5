import { jsonCollapseDepth } from '@switchyard/contract/limits';
import { useMemo } from 'react';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { JsonTree } from '../ui/json-tree.tsx';
import { readBody, searchJson } from './json-search.ts';
import classes from './json-panel.module.css';

/** A part as its panel declares it; a body that is null or empty is shown as 'None'. */
export type Part = { title: string; body: unknown; tone?: 'danger' | undefined };

type Props = Part & {
  /** Only what contains this is shown; everything when it is empty. */
  term: string;
};

/**
 * One part of what a panel shows: a tree for JSON, collapsed from the fourth level on (CONST-045), the text as it came for
 * everything else (AMB-136, AMB-144).
 */
export function JsonPart({ title, body, term, tone }: Props) {
  const content = useMemo(() => readBody(body), [body]);
  const found = useMemo(
    () => (content === null ? null : searchJson('tree' in content ? content.tree : content.text, term)),
    [content, term],
  );
  const isSearching = term.trim() !== '';
  return (
    <section className={classes['part']} aria-label={title}>
      <div className={classes['partHead']}>
        <h3 className={classes['partTitle']} data-tone={tone}>
          {title}
        </h3>
        {content !== null && isSearching && <span className={classes['count']}>{found === null ? 'No match' : matches(found.count)}</span>}
        {content !== null && (
          <CopyIcon
            text={() => ('tree' in content ? JSON.stringify(content.tree, null, 2) : content.text)}
            label={`Copy ${title.toLowerCase()}`}
          />
        )}
      </div>
      {content === null ? (
        <p className={classes['none']}>None</p>
      ) : found === null ? null : typeof found.value === 'object' && found.value !== null ? (
        <JsonTree data={found.value} label={title} collapseFrom={isSearching ? null : jsonCollapseDepth} />
      ) : (
        <p className={classes['text']}>{String(found.value)}</p>
      )}
    </section>
  );
}

function matches(count: number): string {
  return count === 1 ? '1 match' : `${count} matches`;
}
