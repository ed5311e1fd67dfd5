import { writeExactly } from '@switchyard/contract/exact-json';
import { capitalised } from '@switchyard/contract/text-fields';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { CopyIcon } from '../ui/copy.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import classes from './json-panel.module.css';
import { JsonPart, type Part } from './json-part.tsx';
import { usePanelWidth } from './use-panel-width.ts';

type Props = {
  /** Noun of the rows, e.g. `request`. */
  noun: string;
  id: number | string;
  /** The whole row, for the copy button; undefined while there is none. */
  row: unknown;
  /** Shown above the parts, e.g. labels, date and address. */
  facts?: ReactNode;
  /** None where there is nothing to search. */
  parts: readonly Part[];
  /** Shown between the search and the parts. */
  children?: ReactNode;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** A row's JSON beside its list. One search covers all parts; each part and the whole row can be copied. */
export function JsonPanel({ noun, id, row, facts, parts, children, onClose, onStep }: Props) {
  const [width, resize] = usePanelWidth();
  const [term, setTerm] = useState('');
  const name = capitalised(noun);
  return (
    <SidePanel
      title={`${name} ${id}`}
      width={width}
      onResize={resize}
      onClose={onClose}
      onStep={onStep}
      headExtra={
        <>
          <ActionIcon variant="subtle" color="neutral" aria-label={`${name} above`} title={`${name} above (Up)`} onClick={() => onStep(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="neutral"
            aria-label={`${name} below`}
            title={`${name} below (Down)`}
            onClick={() => onStep(1)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
          {row !== undefined && <CopyIcon text={() => writeExactly(row, 2)} label={`Copy ${noun} as JSON`} />}
        </>
      }
    >
      {facts}
      {parts.length > 0 && (
        <div className={classes['find']}>
          <TextInput
            type="search"
            size="xs"
            aria-label={`Find in this ${noun}`}
            placeholder="Find a key or value"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={term}
            onChange={(event) => setTerm(event.currentTarget.value)}
          />
        </div>
      )}
      {children}
      {parts.map((part) => (
        <JsonPart key={part.title} {...part} term={term} />
      ))}
    </SidePanel>
  );
}
