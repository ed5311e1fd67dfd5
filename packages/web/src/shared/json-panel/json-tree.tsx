import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { JsonBranch, JsonNode } from './json-node.ts';
import classes from './json-tree.module.css';
import { jsonKey, jsonText } from '../ui/hidden-characters.ts';

type Props = {
  data: JsonBranch;
  label: string;
  /** Branches from this depth on start collapsed; everything is open when it is null. */
  collapseFrom: number | null;
};

/** JSON as a tree, to the letter. Up and Down move between branches, Left and Right close and open them. */
export function JsonTree({ data, label, collapseFrom }: Props) {
  return (
    <div role="tree" tabIndex={-1} className={classes['container']} aria-label={label} onKeyDown={moveFocus}>
      {/* A reader who searches sees other branches open. */}
      <Node key={String(collapseFrom)} node={data} name={null} level={0} collapseFrom={collapseFrom} isLast />
    </div>
  );
}

type NodeProps = { node: JsonNode; name: string | null; level: number; collapseFrom: number | null; isLast: boolean };

function Node(props: NodeProps) {
  const { node, name, isLast } = props;
  if ('members' in node && node.members.length > 0) return <Branch {...props} node={node} />;
  return (
    <div role="treeitem" className={classes['child']}>
      {name !== null && <Name text={name} />}
      {'members' in node ? <Mark>{node.isList ? '[]' : '{}'}</Mark> : <Scalar json={node.json} />}
      {!isLast && <Mark>,</Mark>}
    </div>
  );
}

function Branch({ node, name, level, collapseFrom, isLast }: NodeProps & { node: JsonBranch }) {
  const [isOpen, setOpen] = useState(collapseFrom === null || level < collapseFrom);
  const toggle = (): void => setOpen(!isOpen);
  return (
    <div role="treeitem" className={classes['child']} aria-expanded={isOpen}>
      <button
        type="button"
        className={classes[isOpen ? 'collapse' : 'expand']}
        aria-label={isOpen ? 'Collapse' : 'Expand'}
        aria-expanded={isOpen}
        tabIndex={level === 0 ? 0 : -1}
        onClick={(event) => {
          toggle();
          takeFocus(event);
        }}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight' || key === 'ArrowLeft') setOpen(key === 'ArrowRight');
        }}
      />
      {name !== null && <Name text={name} onClick={toggle} />}
      <Mark>{node.isList ? '[' : '{'}</Mark>
      {isOpen ? (
        <fieldset className={classes['members']}>
          {node.members.map((member) => (
            <Node
              key={member.place}
              node={member.node}
              name={member.key}
              level={level + 1}
              collapseFrom={collapseFrom}
              isLast={member === node.members.at(-1)}
            />
          ))}
        </fieldset>
      ) : (
        <span role="presentation" className={classes['collapsed']} onClick={toggle} />
      )}
      <Mark>{node.isList ? ']' : '}'}</Mark>
      {!isLast && <Mark>,</Mark>}
    </div>
  );
}

function Name({ text, onClick }: { text: string; onClick?: () => void }) {
  return (
    <span role="presentation" className={classes['label']} onClick={onClick}>
      {jsonKey(text)}:
    </span>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return <span className={classes['punctuation']}>{children}</span>;
}

/** A number as it was written. A text in JSON notation, with hidden and bidirectional characters escaped, is easier to read than its own escapes. */
function Scalar({ json }: { json: string }) {
  if (json.startsWith('"')) return <span className={classes['string']}>{jsonText(String(JSON.parse(json)))}</span>;
  const kind = json === 'null' ? 'null' : json === 'true' || json === 'false' ? 'boolean' : 'number';
  return <span className={classes[kind]}>{json}</span>;
}

/** One branch of the tree is reached by Tab: the one that had the focus last. */
function takeFocus({ currentTarget: button }: MouseEvent<HTMLButtonElement>): void {
  for (const other of button.closest('[role=tree]')?.querySelectorAll('button') ?? []) other.tabIndex = other === button ? 0 : -1;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (event.key.startsWith('Arrow')) event.preventDefault();
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (at === -1) return;
  const next = buttons[(at + step + buttons.length) % buttons.length];
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}
