import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { Dropdown, PickMany } from './pick-list.tsx';

const servers = Array.from({ length: 12 }, (_, at) => ({ value: `${at + 1}`, name: `Server ${at + 1}` }));
const onChoose = vi.fn<(value: unknown) => void>();

function OneServer({ options = servers, initial }: { options?: typeof servers; initial?: string }) {
  const [value, setValue] = useState(initial);
  const change = (next: string | undefined): void => {
    setValue(next);
    onChoose(next);
  };
  return <Dropdown label="Server" options={options} value={value} onChange={change} isClearable />;
}

function ManyApps({ count }: { count: number }) {
  const [options] = useState(() => Array.from({ length: count }, (_, at) => ({ value: `${at}`, name: `App number ${at}` })));
  const [value, setValue] = useState<string[]>([]);
  return <PickMany label="Apps" options={options} value={value} onChange={setValue} />;
}

const field = (name: string) => page.getByRole('combobox', { name, exact: true });
const option = (name: string) => page.getByRole('option', { name, exact: true });
const search = page.getByPlaceholder('Type to find');

describe('dropdown', () => {
  it("[WID-049] says 'Sorry, no matching options.' without a match", async () => {
    await renderWidget(<OneServer />);
    await field('Server').click();
    await search.fill('nowhere');
    await expect.element(page.getByText('Sorry, no matching options.')).toBeVisible();
    expect(page.getByRole('option').elements()).toHaveLength(0);
    await search.fill('server 12');
    await expect.element(option('Server 12')).toBeVisible();
    expect(page.getByText('Sorry, no matching options.').elements()).toHaveLength(0);
  });

  it('[WID-049] says so of an empty list too', async () => {
    await renderWidget(<OneServer options={[]} />);
    await field('Server').click();
    await expect.element(page.getByText('Sorry, no matching options.')).toBeVisible();
  });

  it('[WID-049] shows that its options could not be loaded, and loads them again', async () => {
    const onRetry = vi.fn<() => void>();
    await renderWidget(<Dropdown label="Role" options={[]} value={undefined} onChange={onChoose} onRetry={onRetry} />);
    await field('Role').click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/The options could not be loaded\./);
    expect(page.getByText('Sorry, no matching options.').elements()).toHaveLength(0);
    await page.getByRole('button', { name: 'Retry' }).click();
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('takes one, closes, shows it, and can be cleared', async () => {
    await renderWidget(<OneServer />);
    await field('Server').click();
    await option('Server 3').click();
    expect(onChoose).toHaveBeenLastCalledWith('3');
    await expect.element(field('Server')).toHaveTextContent('Server 3');
    await expect.element(option('Server 3')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Clear server' }).click();
    expect(onChoose).toHaveBeenLastCalledWith(undefined);
    await expect.element(field('Server')).toHaveTextContent('Select');
    await expect.element(field('Server')).toHaveFocus();
  });

  it('is used by the keyboard alone, from the chosen option on', async () => {
    await renderWidget(<OneServer initial="5" />);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onChoose).toHaveBeenLastCalledWith('6');
    await expect.element(field('Server')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(search).not.toBeInTheDocument();
    await expect.element(field('Server')).toHaveFocus();
  });
});

describe('multi-select', () => {
  it('picks several, stays open, and takes them back', async () => {
    await renderWidget(<ManyApps count={12} />);
    await field('Apps').click();
    await option('App number 1').click();
    await option('App number 3').click();
    await expect.element(field('Apps')).toHaveTextContent('2 selected');
    await option('App number 1').click();
    await expect.element(field('Apps')).toHaveTextContent('App number 3');
    await expect.element(option('App number 3')).toHaveAttribute('aria-selected', 'true');
  });

  it('[WID-081] keeps a long value in one line inside the field, whole in its tooltip', async () => {
    const name = 'Golden Compass Fantasy League Manager (com.goldencompassfantasy.app)';
    const options = [
      { value: '1', name },
      { value: '2', name: 'W'.repeat(80) },
    ];
    const widget = (value: string[]) => <PickMany label="App" width={136} options={options} value={value} onChange={() => undefined} />;
    const { rerender } = await renderWidget(widget(['1']));
    const expectInside = (): void => {
      const element = field('App').element();
      expect(element.scrollHeight).toBeLessThanOrEqual(element.clientHeight);
      expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
      const cutParts = [...element.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth);
      expect(cutParts.map((part) => getComputedStyle(part).textOverflow)).toEqual(['ellipsis']);
    };
    await expect.element(field('App')).toHaveAttribute('title', name);
    expectInside();
    await rerender(widget(['2']));
    await expect.element(field('App')).toHaveAttribute('title', 'W'.repeat(80));
    expectInside();
    await rerender(widget(['1', '2']));
    await expect.element(field('App')).toHaveAttribute('title', `${name}, ${'W'.repeat(80)}`);
    await rerender(widget([]));
    await expect.element(field('App')).not.toHaveAttribute('title');
  });

  it('opens 5,000 options at once: only those in view are mounted, and one key reaches the last', async () => {
    await renderWidget(<ManyApps count={5_000} />);
    await expect.element(field('Apps')).toBeVisible();
    await field('Apps').click();
    await expect.element(option('App number 0')).toBeVisible();
    expect(page.getByRole('option').elements().length).toBeLessThan(40);
    expect(page.getByRole('option').elements()[0]?.getAttribute('aria-setsize')).toBe('5000');
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(option('App number 4999')).toBeVisible();
    await search.fill('4321');
    await expect.element(option('App number 4321')).toBeVisible();
    await expect.poll(() => page.getByRole('option').elements()).toHaveLength(1);
  });
});
