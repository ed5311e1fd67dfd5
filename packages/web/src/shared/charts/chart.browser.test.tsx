import { afterEach, expect, it, vi } from 'vitest';
import { renderWidget } from '../../testing/render-widget.tsx';
import { Chart } from './chart.tsx';

afterEach(() => vi.restoreAllMocks());

it('[REP-053] keeps the names along the axis of bars apart on a phone', async () => {
  const write = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText');
  const data = {
    kind: 'bar' as const,
    title: 'Requests',
    form: 'count' as const,
    labels: ['com.example.app'],
    series: [{ name: 'Requests', values: [1_516_094], kind: 'current' as const }],
    isStacked: false,
    incomplete: 0,
    note: null,
  };
  await renderWidget(
    <div style={{ width: 260 }}>
      <Chart data={data} format={(value) => `${value} requests`}>
        Values
      </Chart>
    </div>,
  );
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(1);
  const lowest = Math.max(...write.mock.calls.map(([, , y]) => y));
  const names = write.mock.calls.flatMap(([text, x, y], at) => {
    const context = write.mock.contexts[at];
    const half = (context instanceof CanvasRenderingContext2D ? context.measureText(text).width : 0) / 2;
    return y === lowest ? [[x - half, x + half] as const] : [];
  });
  expect(names.length).toBeGreaterThan(0);
  for (const [at, [start]] of names.entries()) expect(start).toBeGreaterThan((names[at - 1]?.[1] ?? -Infinity) + 4);
});
