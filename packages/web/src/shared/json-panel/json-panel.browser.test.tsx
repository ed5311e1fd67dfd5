import { JsonText } from '@switchyard/contract/exact-json';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { JsonPanel } from './json-panel.tsx';

const deep = { l1: { l2: { l3: { l4: { l5: 'bottom' } } } }, gaid: '7c1e-77' };
const onClose = vi.fn<() => void>();
const onStep = vi.fn<(by: -1 | 1) => void>();

function show() {
  const row = { id: 7, body: deep, error: { text: 'Boom' } };
  return renderWidget(
    <div style={{ display: 'flex', height: 700 }}>
      <JsonPanel
        noun="request"
        id={7}
        row={row}
        parts={[
          { title: 'Body', body: deep },
          { title: 'Error', body: '{"text":"Boom"}', tone: 'danger' },
          { title: 'Text', body: 'not JSON at all' },
          { title: 'Nothing', body: null },
        ]}
        onClose={onClose}
        onStep={onStep}
      />
    </div>,
  );
}

const panel = page.getByRole('complementary', { name: 'Request 7' });
const part = (name: string) => panel.getByRole('region', { name });

describe('side JSON panel', () => {
  it('[CONST-045] opens trees to the fourth level; what lies deeper waits for a press', async () => {
    await show();
    await expect.element(part('Body').getByText('l4:', { exact: true })).toBeVisible();
    expect(part('Body').getByText('l5:', { exact: true }).elements()).toHaveLength(0);
    await part('Body').getByRole('button', { name: 'Expand' }).click();
    await expect.element(part('Body').getByText('l5:', { exact: true })).toBeVisible();
  });

  it('[AMB-144] shows text of JSON as a tree, other text as it came, and nothing as None', async () => {
    await show();
    await expect.element(part('Error').getByText('text:', { exact: true })).toBeVisible();
    await expect.element(part('Text').getByText('not JSON at all', { exact: true })).toBeVisible();
    await expect.element(part('Nothing').getByText('None', { exact: true })).toBeVisible();
  });

  it('[DATA-101] shows and copies every digit and repeated key, and moves between branches by keyboard', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    const body = new JsonText('{"fb_id":12345678901234567890,"dup":1E400,"dup":19.90,"list":[]}');
    const row = { id: 7, body };
    await renderWidget(
      <div style={{ display: 'flex', height: 700 }}>
        <JsonPanel noun="request" id={7} row={row} parts={[{ title: 'Body', body: [body] }]} onClose={onClose} onStep={onStep} />
      </div>,
    );
    for (const text of ['12345678901234567890', '1E400', '19.90'])
      await expect.element(part('Body').getByText(text, { exact: true })).toBeVisible();
    expect(part('Body').getByText('dup:', { exact: true }).elements()).toHaveLength(2);
    await panel.getByRole('button', { name: 'Copy request as JSON' }).click();
    expect(copiedTexts).toEqual([
      '{\n  "id": 7,\n  "body": {\n    "fb_id": 12345678901234567890,\n    "dup": 1E400,\n    "dup": 19.90,\n    "list": []\n  }\n}',
    ]);
    const [outer, inner] = part('Body').getByRole('button', { name: 'Collapse' }).elements();
    outer?.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(inner);
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(part('Body').getByText('19.90', { exact: true })).not.toBeInTheDocument();
  });

  it('finds keys and values in all parts at once, as deep as they lie', async () => {
    await show();
    await page.getByRole('searchbox', { name: 'Find in this request' }).fill('boTTom');
    await expect.element(part('Body').getByText('l5:', { exact: true })).toBeVisible();
    await expect.element(part('Body').getByText('1 match', { exact: true })).toBeVisible();
    await expect.element(part('Error').getByText('No match', { exact: true })).toBeVisible();
    expect(part('Body').getByText('gaid:', { exact: true }).elements()).toHaveLength(0);
  });

  it('copies a part or the whole as JSON', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await show();
    await panel.getByRole('button', { name: 'Copy body' }).click();
    await panel.getByRole('button', { name: 'Copy request as JSON' }).click();
    expect(copiedTexts.map((text): unknown => JSON.parse(text))).toEqual([deep, { id: 7, body: deep, error: { text: 'Boom' } }]);
  });

  it('moves by Up and Down and closes by Escape or its cross', async () => {
    await show();
    await panel.getByRole('button', { name: 'Request below' }).click();
    await userEvent.keyboard('{ArrowDown}{ArrowUp}');
    expect(onStep.mock.calls).toEqual([[1], [1], [-1]]);
    await userEvent.keyboard('{Escape}');
    await panel.getByRole('button', { name: 'Close panel' }).click();
    expect(onClose).toHaveBeenCalledTimes(2);
  });
});
