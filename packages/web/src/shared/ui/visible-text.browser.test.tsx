import { describe, expect, it } from 'vitest';
import { renderWidget } from '../../testing/render-widget.tsx';
import { readNode } from '../json-panel/json-node.ts';
import { JsonTree } from '../json-panel/json-tree.tsx';
import { VisibleText } from './visible-text.tsx';

const hostile = 'pay\u202Egpj\u200B.exe';

describe('a text that came from outside', () => {
  it('[S22] shows marks with a name, and is copied as it came', async () => {
    const { container } = await renderWidget(
      <p>
        <VisibleText text={hostile} />
      </p>,
    );
    const marks = [...container.querySelectorAll('[data-mark]')];
    expect(marks.map((mark) => [mark.getAttribute('data-mark'), mark.getAttribute('title')])).toEqual([
      ['⟦RLO⟧', 'U+202E right-to-left override'],
      ['⟦ZWSP⟧', 'U+200B zero-width space'],
    ]);
    for (const mark of marks) expect(mark.getBoundingClientRect().width).toBeGreaterThan(20);
    getSelection()?.selectAllChildren(container);
    expect(getSelection()?.toString()).toBe(hostile);
  });

  it('[S22] never turns the text after it', async () => {
    const { container } = await renderWidget(
      <p style={{ fontFamily: 'monospace' }}>
        <VisibleText text={'\u202Eabc שלום'} /> <b>1</b>
        <i>2</i>
      </p>,
    );
    const leftEdge = (name: string) => container.querySelector(name)?.getBoundingClientRect().left ?? 0;
    expect(leftEdge('i')).toBeGreaterThan(leftEdge('b'));
    expect(leftEdge('b')).toBeGreaterThan(container.querySelector('bdi')?.getBoundingClientRect().right ?? Infinity);
  });

  it('[S22] is escaped in a tree of JSON, keys too', async () => {
    const data = readNode(JSON.stringify({ 'k\u202E': hostile, list: ['\u0000'] }));
    if (!('members' in data)) throw new Error('it is no branch');
    const { container } = await renderWidget(<JsonTree data={data} label="Body" collapseFrom={null} />);
    expect(container.textContent).toContain(String.raw`k\u202e:`);
    expect(container.textContent).toContain(String.raw`"pay\u202egpj\u200b.exe"`);
    expect(container.textContent).toContain(String.raw`"\u0000"`);
    expect(container.textContent).not.toMatch(/[\u202E\u200B]/);
  });
});
