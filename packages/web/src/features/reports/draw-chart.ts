import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  type LegendItem,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
  Title,
  Tooltip,
} from 'chart.js';
import type { ChartData, Series } from './chart-series.ts';

Chart.defaults.font.family = "'Inter Variable', system-ui, sans-serif";
Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Title, Tooltip);

/** Request types have these colours everywhere; other series take them in this order. They differ in lightness, too. */
const palette = ['create', 'proxy', 'receive', 'error', 'token', 'track', 'static'] as const;
/** Series differ by their dashes and points, too, so that no colour is needed. */
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2], [1, 4]];
const points = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star', 'cross'] as const;
/** With more labels than this the points would touch. */
const mostPoints = 62;

const picture = { width: 1200, height: 600, ratio: 2 } as const;

type Colours = {
  text: string;
  dimmed: string;
  line: string;
  surface: string;
  warning: string;
  series: (series: Series, at: number) => string;
};

/** The colours of the theme that the page is in. */
function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--sy-${name}`).trim();
  return {
    text: colour('text'),
    dimmed: colour('dimmed'),
    line: colour('line'),
    surface: colour('surface'),
    warning: colour('warning-text'),
    series: ({ kind, type }, at) =>
      kind === 'compared' ? colour('control') : colour(`type-${type ?? palette[at % palette.length] ?? ''}`),
  };
}

/** A colour with lines or dots in it, so that bars differ by more than their colour. */
function patternOf(context: CanvasRenderingContext2D, { colour, surface, at }: { colour: string; surface: string; at: number }) {
  if (at === 0) return colour;
  const size = 8;
  const tile = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const pattern = tile.getContext('2d');
  if (pattern === null) return colour;
  pattern.fillStyle = colour;
  pattern.fillRect(0, 0, size, size);
  pattern.strokeStyle = surface;
  pattern.lineWidth = 1.5;
  const lines: readonly (readonly [number, number, number, number])[][] = [
    [[0, size, size, 0]],
    [[0, 0, size, size]],
    [[0, 4, size, 4]],
    [[4, 0, 4, size]],
    [
      [0, 4, size, 4],
      [4, 0, 4, size],
    ],
    [[2, 2, 5, 5]],
  ];
  for (const [fromX, fromY, toX, toY] of lines[(at - 1) % lines.length] ?? []) {
    pattern.beginPath();
    pattern.moveTo(fromX, fromY);
    pattern.lineTo(toX, toY);
    pattern.stroke();
  }
  return context.createPattern(tile, 'repeat') ?? colour;
}

/** Marks the times of which retention has dropped something. */
function incompleteBand({ incomplete }: ChartData, colours: Colours): Plugin<'line' | 'bar'> {
  return {
    id: 'incomplete',
    beforeDatasetsDraw({ ctx, chartArea: { left, right, top, bottom }, scales: { x } }) {
      if (incomplete === 0 || x === undefined) return;
      const end = Math.min(right, (x.getPixelForValue(incomplete - 1) + x.getPixelForValue(incomplete)) / 2 || right);
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, end - left, bottom - top);
      ctx.clip();
      ctx.strokeStyle = colours.line;
      for (let at = left - (bottom - top); at < end; at += 8) {
        ctx.beginPath();
        ctx.moveTo(at, bottom);
        ctx.lineTo(at + bottom - top, top);
        ctx.stroke();
      }
      ctx.fillStyle = colours.warning;
      ctx.textBaseline = 'top';
      ctx.fillText('Incomplete', left + 6, top + 6);
      ctx.restore();
    },
  };
}

/** Fills the ground, which is transparent on the page. */
function ground(colour: string): Plugin<'line' | 'bar'> {
  return {
    id: 'ground',
    beforeDraw({ ctx, width, height }) {
      ctx.save();
      ctx.globalCompositeOperation = 'destination-over';
      ctx.fillStyle = colour;
      ctx.fillRect(0, 0, width, height);
      ctx.restore();
    },
  };
}

function datasetsOf(context: CanvasRenderingContext2D, { kind, series, labels }: ChartData, colours: Colours) {
  return series.map((one, at) => {
    const colour = colours.series(one, at);
    const shared = { label: one.name, data: one.values, borderColor: colour, pointBackgroundColor: colour };
    if (kind === 'bar')
      return {
        ...shared,
        borderWidth: 1,
        maxBarThickness: 22,
        backgroundColor: patternOf(context, { colour, surface: colours.surface, at }),
      };
    return {
      ...shared,
      backgroundColor: colour,
      borderWidth: one.kind === 'compared' ? 1.5 : 2,
      borderDash: one.kind === 'compared' ? [5, 4] : (dashes[at % dashes.length] ?? []),
      pointStyle: points[at % points.length] ?? 'circle',
      pointRadius: labels.length > mostPoints ? 0 : 3,
      pointHitRadius: 8,
    };
  });
}

/** Writes a value, in compact form for the axis. It is passed in, so that this file needs no other than the library. */
type Format = (value: number, isCompact: boolean) => string;

/** Draws a chart into a canvas, which fills its container. Returns a function that removes it. */
export function drawChart(canvas: HTMLCanvasElement, data: ChartData, format: Format): () => void {
  const chart = create(canvas, data, { format, isPicture: false });
  return () => chart.destroy();
}

/** The chart with its title and legend as a picture in the colours of the page. */
export async function paintPicture(data: ChartData, format: Format): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
  const chart = create(canvas, data, { format, isPicture: true });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  chart.destroy();
  if (blob === null) throw new Error('The browser could not paint the picture');
  return blob;
}

/** The library's own entries show how points look; these show the dashes of the lines. */
function lineLabels(chart: Chart): LegendItem[] {
  return chart.data.datasets.map((dataset, datasetIndex) => ({
    text: dataset.label ?? '',
    datasetIndex,
    pointStyle: 'line',
    fontColor: readColours().text,
    lineWidth: 2,
    ...('borderColor' in dataset && typeof dataset.borderColor === 'string' && { strokeStyle: dataset.borderColor }),
    ...('borderDash' in dataset &&
      Array.isArray(dataset.borderDash) && { lineDash: dataset.borderDash.filter((length) => length !== undefined) }),
  }));
}

/** A name that leaves the bars their room. */
function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, Math.max(4, Math.floor(most))).join('')}…`;
}

function create(
  canvas: HTMLCanvasElement,
  data: ChartData,
  { format, isPicture }: { format: Format; isPicture: boolean },
): Chart<'line' | 'bar', (number | null)[], string> {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser cannot draw');
  const colours = readColours();
  const { kind, labels, isStacked } = data;
  const isLine = kind === 'line';
  const values = {
    beginAtZero: true,
    stacked: isStacked,
    grid: { color: colours.line },
    border: { display: false },
    ticks: { color: colours.dimmed, maxTicksLimit: 7, callback: (value: number | string) => format(Number(value), true) },
  };
  const names = {
    stacked: isStacked,
    grid: { display: false },
    border: { color: colours.line },
    ticks: {
      color: colours.dimmed,
      maxRotation: 0,
      autoSkip: isLine,
      autoSkipPadding: 12,
      callback: (value: number | string) => cut(labels[Number(value)] ?? '', isLine || isPicture ? Infinity : canvas.clientWidth / 18),
    },
  };
  return new Chart<'line' | 'bar', (number | null)[], string>(context, {
    type: kind,
    data: { labels, datasets: datasetsOf(context, data, colours) },
    options: {
      animation: false,
      responsive: !isPicture,
      maintainAspectRatio: false,
      ...(isPicture && { devicePixelRatio: picture.ratio }),
      indexAxis: isLine ? 'x' : 'y',
      interaction: { mode: 'index', axis: isLine ? 'x' : 'y', intersect: false },
      font: { size: isPicture ? 14 : 12 },
      layout: { padding: isPicture ? 24 : 0 },
      scales: { x: isLine ? names : values, y: isLine ? values : names },
      plugins: {
        title: {
          display: isPicture,
          text: data.title,
          color: colours.text,
          align: 'start',
          font: { size: 20, weight: 600 },
          padding: { bottom: 16 },
        },
        legend: {
          // One series is named by the measure that was chosen.
          display: data.series.length > 1,
          align: 'start',
          position: 'bottom',
          onClick: () => undefined,
          labels: {
            color: colours.text,
            boxHeight: 9,
            ...(isLine ? { usePointStyle: true, pointStyle: 'line', pointStyleWidth: 30, generateLabels: lineLabels } : { boxWidth: 18 }),
          },
        },
        tooltip: {
          callbacks: {
            label: ({ dataset, raw }) => ` ${dataset.label ?? ''}: ${raw === null ? '–' : format(Number(raw), false)}`,
          },
        },
      },
    },
    plugins: [incompleteBand(data, colours), ...(isPicture ? [ground(colours.surface)] : [])],
  });
}
