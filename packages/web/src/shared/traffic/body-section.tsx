import { jsonCollapseDepth } from '@switchyard/contract/limits';
import { useMemo } from 'react';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { JsonTree } from '../ui/json-tree.tsx';
import { readBody, searchJson } from './json-search.ts';
import classes from './request-panel.module.css';

type Props = {
  title: string;
  body: unknown;
  /** Only what contains this is shown; everything when it is empty. */
  term: string;
  tone?: 'danger' | undefined;
};

/** One part of a request: a tree for JSON, the text as it came for everything else (AMB-136, AMB-144). */
export function BodySection({ title, body, term, tone }: Props) {
  const content = useMemo(() => readBody(body), [body]);
  const found = useMemo(
    () => (content === null ? null : searchJson('tree' in content ? content.tree : content.text, term)),
    [content, term],
  );
  const isSearching = term.trim() !== '';
  return (
    <section className={classes['section']} aria-label={title}>
      <div className={classes['sectionHead']}>
        <h3 className={classes['sectionTitle']} data-tone={tone}>
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
