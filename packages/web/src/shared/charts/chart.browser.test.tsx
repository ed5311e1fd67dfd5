import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { emulateMedia } from '../../testing/media.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import type { ChartData, Series } from './chart-data.ts';
import { Chart } from './chart.tsx';

afterEach(() => vi.restoreAllMocks());

const series = (name: string, values: (number | null)[], more: Partial<Series> = {}): Series => ({
  name,
  values,
  kind: 'current',
  ...more,
});
const chart = (part: Partial<ChartData>): ChartData => ({
  kind: 'line',
  title: 'Requests',
  form: 'count',
  labels: ['27.11.2026 Fri', '28.11.2026 Sat', '29.11.2026 Sun'],
  series: [series('Requests', [5, 1_516_094, 7])],
  isStacked: false,
  incomplete: 0,
  note: null,
  ...part,
});
const format = (value: number, isCompact: boolean): string =>
  new Intl.NumberFormat('en', isCompact ? { notation: 'compact', maximumFractionDigits: 2 } : {}).format(value);

async function show(data: ChartData, width: number, onZoom?: () => void): Promise<void> {
  await renderWidget(
    <div style={{ width }}>
      <Chart data={data} format={format} onZoom={onZoom}>
        Values
      </Chart>
    </div>,
  );
}

type Box = { text: string; left: number; right: number; top: number; bottom: number };

/** The texts of the last drawing, each with its place. */
function textsOf(write: ReturnType<typeof spyOnText>['write'], clear: ReturnType<typeof spyOnText>['clear']): Box[] {
  const begin = clear.mock.invocationCallOrder.at(-1) ?? 0;
  return write.mock.calls.flatMap(([text, x, y], at) => {
    if ((write.mock.invocationCallOrder[at] ?? 0) < begin) return [];
    const [context, align] = [write.mock.contexts[at], aligns[at] ?? 'left'];
    const width = context instanceof CanvasRenderingContext2D ? context.measureText(text).width : 0;
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    return [{ text, left, right: left + width, top: y - 6, bottom: y + 6 }];
  });
}

let aligns: string[] = [];
function spyOnText() {
  aligns = [];
  const write = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockImplementation(function draw(
    this: CanvasRenderingContext2D,
    ...place
  ) {
    aligns.push(this.textAlign);
    this.strokeText(...place);
  });
  return { write, clear: vi.spyOn(CanvasRenderingContext2D.prototype, 'clearRect') };
}

const apps = Array.from({ length: 12 }, (_, at) => (at === 3 ? `An app with a name of many words ${'and more '.repeat(6)}` : `App ${at}`));
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
const millions = (count: number, from = 1_516_094) => Array.from({ length: count }, (_, at) => from - at * 91_000);
const many = apps.slice(0, 8).map((name, at) => series(name, millions(14, 3_000_000 - at), { total: '12,516,094' }));
const days = Array.from({ length: 14 }, (_, at) => `${at + 10}.11.2026 Mon`);
const charts: Record<string, ChartData> = {
  'one bar': chart({ kind: 'bar', labels: ['com.example.app'], series: [series('Requests', [1_516_094])] }),
  bars: chart({ kind: 'bar', labels: [...apps, 'Others (26)'], series: [series('Requests', [...millions(12), 90_000_000])], othersAt: 12 }),
  changes: chart({ kind: 'bar', labels: apps, series: [series('Change', millions(12, 500_000))], change: 'change' }),
  'compared bars': chart({
    kind: 'bar',
    labels: apps,
    series: [series('now', millions(12)), series('before', millions(12), { kind: 'compared' })],
  }),
  'bars beside': chart({ kind: 'bar', labels: apps, series: many.slice(0, 7).map((one) => ({ ...one, values: millions(12) })) }),
  'stacked bars': chart({ kind: 'bar', labels: apps, series: many.map((one) => ({ ...one, values: millions(12) })), isStacked: true }),
  lines: chart({ labels: days, series: many }),
  areas: chart({ labels: days, series: many, isStacked: true }),
  'a heat map': chart({ kind: 'heat', labels: hours, series: apps.map((name) => series(name, millions(24))) }),
  'hours of a month': chart({
    labels: Array.from({ length: 744 }, (_, at) => `${at}.11.2026 10:00`),
    series: [series('Requests', millions(744))],
  }),
};

it.each(Object.keys(charts).flatMap((name) => [260, 342, 900].map((width) => ({ name, width }))))(
  '[REP-053, REP-075] keeps the texts of $name apart and whole at $width px',
  async ({ name, width }) => {
    const { write, clear } = spyOnText();
    await show(charts[name] ?? chart({}), width);
    await expect.poll(() => write.mock.calls.length).toBeGreaterThan(1);
    const texts = textsOf(write, clear);
    for (const one of texts) {
      expect([one.text, one.left >= -0.5, one.right <= width + 0.5]).toEqual([one.text, true, true]);
      expect(one.text).not.toContain('...');
    }
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1)) {
        const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        expect([one.text, other.text, apart]).toEqual([one.text, other.text, true]);
      }
  },
);

it.each([
  { width: 900, written: 24 },
  { width: 500, written: 0 },
])('[REP-035] writes $written values into the cells of a heat map of $width px: all, or none', async ({ width, written }) => {
  const { write, clear } = spyOnText();
  await show(chart({ kind: 'heat', labels: hours, series: [series('Mon', [1_000_000, ...Array.from({ length: 23 }, () => 1)])] }), width);
  await expect.poll(() => textsOf(write, clear).some(({ text }) => text === 'Mon')).toBe(true);
  expect(textsOf(write, clear).filter(({ text }) => text === '1' || text === '1M')).toHaveLength(written);
});

it.each<[string, Partial<ChartData>, string[]]>([
  ['changes in percent', { kind: 'bar', series: [series('Change', [-0.3, 0.1, 0.2])], change: 'percent' }, ['-0.2', '0.2']],
  ['averages', { series: [series('Average', [0.1, 0.2, 0.4])] }, ['0.2', '0.4']],
])('[REP-071, REP-081] has values below 1 on the axis of %s', async (_what, part, ticks) => {
  const { write, clear } = spyOnText();
  await show(chart(part), 600);
  await expect.poll(() => textsOf(write, clear).map(({ text }) => text)).toEqual(expect.arrayContaining(ticks));
});

it('[REP-076] shows all series of a time at the pointer, the largest first, with their sum and shares', async () => {
  const parts = [series('one', [1, 10, 1]), series('two', [1, 30, 1]), series('Others (3)', [0, 60, 0], { kind: 'others' })];
  await show(chart({ series: parts, isStacked: true }), 600);
  await page.getByRole('figure').hover({ position: { x: 310, y: 60 } });
  const tooltip = page.getByRole('tooltip', { includeHidden: true });
  await expect.element(tooltip).toHaveTextContent('28.11.2026 Sattwo: 30 (30.0%)one: 10 (10.0%)Others (3): 60 (60.0%)Total: 100');
});

it('[REP-076] shows and speaks the values of a time that the keyboard chooses', async () => {
  const lines = [series('one', [1, 2, 3]), series('two', [9, 1, 4])];
  await show(chart({ series: lines }), 600, () => undefined);
  const tooltip = page.getByRole('tooltip', { includeHidden: true });
  const slider = page.getByRole('slider', { name: 'Time to zoom to' });
  await expect.element(slider).toBeInTheDocument();
  await userEvent.tab();
  await expect.element(tooltip).toHaveTextContent('29.11.2026 Suntwo: 4one: 3');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(tooltip).toHaveTextContent('28.11.2026 Satone: 2two: 1');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '28.11.2026 Sat: one 2, two 1');
  // They would hide the time that is being chosen.
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  await expect.element(tooltip).not.toBeInTheDocument();
});

it('[REP-076] moves by rows and columns through the cells of a heat map', async () => {
  await show(chart({ kind: 'heat', series: [series('Mon', [1, 2, 3]), series('Tue', [4, 5, 6])] }), 600);
  const slider = page.getByRole('slider', { name: 'Values of the chart' });
  await expect.element(slider).toBeInTheDocument();
  await userEvent.tab();
  await expect.element(slider).toHaveAttribute('aria-valuetext', '27.11.2026 Fri: Mon 1');
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{Enter}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '28.11.2026 Sat: Tue 5');
  await expect.element(page.getByRole('tooltip', { includeHidden: true })).toHaveTextContent('28.11.2026 SatTue: 5');
});

it('[REP-070, REP-071] draws losses to the left of gains, and cuts a bar of others that would leave no room', async () => {
  const fill = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillRect');
  const bars = () => fill.mock.calls.map(([x, , width]) => ({ x, width }));
  await show(chart({ kind: 'bar', series: [series('Change', [-50, 10, 100])], change: 'change' }), 600);
  await expect.poll(() => bars().map(({ width }) => Math.sign(width))).toEqual([-1, 1, 1]);
  expect(new Set(bars().map(({ x }) => x)).size).toBe(1);
  fill.mockClear();
  await show(chart({ kind: 'bar', series: [series('Requests', [100, 50, 1_000_000])], othersAt: 2 }), 600);
  await expect.poll(() => fill.mock.calls.length).toBe(3);
  const [first = 0, , others = 0] = bars().map(({ width }) => width);
  expect([first > 200, others >= first]).toEqual([true, true]);
});

it('[REP-077] draws patterns in forced colours only, unless they are chosen', async () => {
  const dash = vi.spyOn(CanvasRenderingContext2D.prototype, 'setLineDash');
  const isDashed = () => dash.mock.calls.some(([parts]) => [...parts].length > 0);
  const lines = chart({ series: [series('one', [1, 2, 3]), series('two', [9, 1, 4])] });
  await show(lines, 600);
  await expect.poll(() => dash.mock.calls.length).toBeGreaterThan(0);
  expect(isDashed()).toBe(false);
  const matched = window.matchMedia('all');
  vi.spyOn(window, 'matchMedia').mockImplementation(() => matched);
  await show({ ...lines }, 600);
  await expect.poll(isDashed).toBe(true);
});

it('[DASH-131] prints the colours of paper in the dark theme', async () => {
  const colours: unknown[] = [];
  vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockImplementation(function note(this: CanvasRenderingContext2D) {
    colours.push(this.fillStyle);
  });
  const dimmed = (): string => getComputedStyle(document.documentElement).getPropertyValue('--sy-dimmed').trim();
  await renderWidget(
    <Chart data={chart({})} format={format}>
      Values
    </Chart>,
    { theme: 'dark' },
  );
  await expect.poll(() => colours.at(-1)).toBe(dimmed());
  const onScreen = colours.at(-1);
  await emulateMedia({ print: true });
  await expect.poll(() => colours.at(-1)).toBe(dimmed());
  expect(colours.at(-1)).not.toBe(onScreen);
});
