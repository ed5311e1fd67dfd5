import type { ValueForm } from '@switchyard/contract/report-texts';
import type { TimeAxis } from '../marks/place-marks.ts';

/** Values of a chart under one name; null where nothing is drawn. `texts` are said of them instead of the values. */
export type Series = {
  name: string;
  values: (number | null)[];
  kind: 'current' | 'compared' | 'others';
  type?: string;
  texts?: (string | null)[];
};

/** A chart as data: lines over time, otherwise bars, or a heat map with a row for each series. */
export type ChartData = {
  kind: 'line' | 'bar' | 'heat';
  title: string;
  form: ValueForm;
  labels: string[];
  series: Series[];
  isStacked: boolean;
  /** How many of the first labels retention has cut. */
  incomplete: number;
  /** Series that the chart leaves out. */
  note: string | null;
  /** Times of the labels of a line chart, by which marks are placed. */
  axis?: TimeAxis;
  /** A line across a line chart, and the stretches of labels in which its condition was met, ends included. */
  threshold?: { value: number; name: string; stretches: readonly (readonly [from: number, to: number])[] };
};

/** Request types have these colours everywhere; other series take them in this order. They differ in lightness, too. */
const palette = ['create', 'proxy', 'receive', 'error', 'token', 'track', 'static'] as const;
/** Series differ by their dashes and points, too, so that no colour is needed. */
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2], [1, 4]];
const comparedDashes = [5, 4];
/** Points around their middle: dot, square, triangle, diamond, two crosses, star. */
const points = [
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  'M-3-3H3V3H-3z',
  'M0-4L4 3H-4z',
  'M0-4L4 0L0 4L-4 0z',
  'M-3-3L3 3M-3 3L3-3',
  'M0-4V4M-4 0H4',
  'M0-4V4M-4 0H4M-3-3L3 3M-3 3L3-3',
];
/** With more labels than this the points would touch. */
const mostPoints = 62;
/** Bars differ by the lines in them; these are drawn into tiles. */
const hatches = ['', 'M0 8L8 0', 'M0 0L8 8', 'M0 4H8', 'M4 0V8', 'M0 4H8M4 0V8', 'M2 2L5 5'];
const tileSize = 8;
/** Least pixels between the names along an axis. */
const labelGap = 12;

const barLimits = { thickness: 22, share: 0.75 } as const;
const swatch = { line: 30, bar: 18, height: 9, gap: 6 } as const;
const picture = { width: 1200, height: 600, ratio: 2 } as const;
/** Pixels of a row of a heat map in a picture, and the least of a cell with its value. */
const heat = { row: 26, frame: 150, weakest: 0.06, range: 0.62, padding: 3 } as const;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
/** Writes a value, in compact form for the axis. */
type Format = (value: number, isCompact: boolean) => string;

/** The label at a place of a chart, in pixels, and in a heat map the series; null beside the plot. */
export type LabelAt = (x: number, y: number) => { label: number; series?: number } | null;

/** Where the values of a drawn chart are, in pixels. */
export type Area = { left: number; right: number; top: number; bottom: number };

/** A drawn chart: where its labels and values are. */
export type DrawnChart = { labelAt: LabelAt; area: Area };

/** Pixels above the values that marks of time take. */
export const markLane = 16;

/** The colours of the theme that the page is in. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--sy-${name}`).trim();
  return {
    text: colour('text'),
    dimmed: colour('dimmed'),
    line: colour('line'),
    surface: colour('surface'),
    warning: colour('warning-text'),
    danger: colour('danger-text'),
    dangerSoft: colour('danger-soft-hover'),
    accent: colour('accent'),
    series: ({ kind, type }: Series, at: number): string => {
      if (kind === 'current') return colour(`type-${type ?? palette[at % palette.length] ?? ''}`);
      return colour('control');
    },
  };
}

/** Round values from 0 to one that none of the chart exceeds, at most six. */
export function axisValues(highest: number, leastStep = 0): number[] {
  const power = 10 ** Math.floor(Math.log10(highest / 4 || 1));
  const steps = [1, 2, 2.5, 5, 10].map((part) => part * power);
  const step = Math.max(leastStep, steps.find((size) => size * 5 >= highest) ?? 1);
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** A name that leaves the bars their room. */
function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, Math.max(4, Math.floor(most))).join('')}…`;
}

function indexAt(offset: number, size: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(offset / size)));
}

type Options = { width: number; height: number; isPicture: boolean; hasLane: boolean; format: Format };

/** Draws a chart into a context, whose unit is a pixel of the page. */
function draw(context: Context, data: ChartData, { width, height, isPicture, hasLane, format }: Options): DrawnChart {
  const { kind, series, labels } = data;
  const isLine = kind === 'line';
  const isFilled = !isLine || data.isStacked;
  const colours = readColours();
  const textSize = isPicture ? 14 : 12;
  const lineHeight = textSize + 10;
  const margin = isPicture ? 24 : 0;
  const columns = labels.map((_, at) => series.map(({ values: ofSeries }) => ofSeries[at] ?? 0));
  const sums = columns.map((all) => (data.isStacked ? all.reduce((sum, one) => sum + one, 0) : Math.max(...all)));
  const highest = Math.max(data.threshold?.value ?? 0, ...sums);
  const values = axisValues(highest, data.form === 'count' ? 1 : 0);
  const sideNames = kind === 'heat' ? series.map(({ name }) => name) : labels;
  const names = sideNames.map((name) => cut(name, isLine || isPicture ? Infinity : width / 18));

  function setFont(size = textSize, weight = 400): void {
    context.font = `${weight} ${size}px 'Inter Variable', system-ui, sans-serif`;
  }
  function measure(text: string): number {
    setFont();
    return context.measureText(text).width;
  }
  function write(text: string, x: number, y: number, align: CanvasTextAlign = 'left', colour = colours.dimmed): void {
    Object.assign(context, { fillStyle: colour, textAlign: align, textBaseline: 'middle' });
    context.fillText(text, x, y);
  }
  function drawLine(fromX: number, fromY: number, toX: number, toY: number, colour = colours.line): void {
    Object.assign(context, { strokeStyle: colour, lineWidth: 1 });
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }
  function strokeOf(one: Series, at: number): void {
    const isCompared = one.kind === 'compared';
    Object.assign(context, { strokeStyle: colours.series(one, at), fillStyle: colours.series(one, at), lineWidth: isCompared ? 1.5 : 2 });
    context.setLineDash(isCompared ? comparedDashes : (dashes[at % dashes.length] ?? []));
  }
  function fillOf(one: Series, at: number): string | CanvasPattern {
    const colour = colours.series(one, at);
    const tile = new OffscreenCanvas(tileSize, tileSize);
    const pattern = tile.getContext('2d');
    if (at === 0 || pattern === null) return colour;
    Object.assign(pattern, { fillStyle: colour, strokeStyle: colours.surface, lineWidth: 1.5 });
    pattern.fillRect(0, 0, tileSize, tileSize);
    pattern.stroke(new Path2D(hatches[at % hatches.length]));
    return context.createPattern(tile, 'repeat') ?? colour;
  }

  /** The names of the series at the bottom, in as many lines as they need; gives the height that they take. */
  function drawLegend(): number {
    // One series is named by the measure that was chosen.
    if (series.length < 2 || kind === 'heat') return 0;
    const markWidth = isFilled ? swatch.bar : swatch.line;
    const lines: { one: Series; at: number; x: number }[][] = [];
    let next = Infinity;
    for (const [at, one] of series.entries()) {
      const needed = markWidth + swatch.gap + measure(one.name) + 2 * swatch.gap;
      if (next + needed > width - margin) {
        next = margin;
        lines.push([]);
      }
      lines.at(-1)?.push({ one, at, x: next });
      next += needed;
    }
    for (const [row, entries] of lines.entries()) {
      const y = height - margin - (lines.length - row - 0.5) * lineHeight;
      for (const { one, at, x } of entries) {
        strokeOf(one, at);
        if (!isFilled) {
          context.beginPath();
          context.moveTo(x, y);
          context.lineTo(x + markWidth, y);
          context.stroke();
        } else {
          context.fillStyle = fillOf(one, at);
          context.fillRect(x, y - swatch.height / 2, markWidth, swatch.height);
        }
        context.setLineDash([]);
        write(one.name, x + markWidth + swatch.gap, y, 'left', colours.text);
      }
    }
    return lines.length * lineHeight;
  }

  function drawTitle(): number {
    if (!isPicture) return textSize / 2;
    setFont(20, 600);
    write(data.title, margin, margin + 10, 'left', colours.text);
    setFont();
    return 44;
  }

  /** Marks the times of which retention has dropped something. */
  function drawIncomplete({ left, right, top, bottom }: Area, placeOf: (at: number) => number): void {
    if (data.incomplete === 0) return;
    const end = data.incomplete < labels.length ? (placeOf(data.incomplete - 1) + placeOf(data.incomplete)) / 2 : right;
    context.save();
    context.beginPath();
    context.rect(left, top, end - left, bottom - top);
    context.clip();
    for (let at = left - (bottom - top); at < end; at += 8) drawLine(at, bottom, at + bottom - top, top);
    write('Incomplete', left + 6, top + 6 + textSize / 2, 'left', colours.warning);
    context.restore();
  }

  /** Marks when the condition was met, and draws the threshold with its name. */
  function drawThreshold({ left, right, top, bottom }: Area, placeOf: (at: number) => number, heightOf: (value: number) => number): void {
    const { threshold } = data;
    if (threshold === undefined) return;
    context.fillStyle = colours.dangerSoft;
    for (const [from, to] of threshold.stretches) {
      context.fillRect(placeOf(from) - 1, top, placeOf(to) - placeOf(from) + 2, bottom - top);
    }
    const y = heightOf(threshold.value);
    context.setLineDash(comparedDashes);
    drawLine(left, y, right, y, colours.danger);
    context.setLineDash([]);
    write(threshold.name, right, y < top + lineHeight ? y + lineHeight / 2 : y - lineHeight / 2, 'right', colours.danger);
  }

  function drawPoint(point: Path2D, x: number, y: number): void {
    context.save();
    context.translate(x, y);
    context.lineWidth = 1;
    context.fill(point);
    context.stroke(point);
    context.restore();
  }

  function drawSeries(one: Series, at: number, placeOf: (label: number) => number, heightOf: (value: number) => number): void {
    strokeOf(one, at);
    context.beginPath();
    for (const [label, value] of one.values.entries()) {
      const isFirst = label === 0 || one.values[label - 1] === null;
      if (value !== null) context[isFirst ? 'moveTo' : 'lineTo'](placeOf(label), heightOf(value));
    }
    context.stroke();
    context.setLineDash([]);
    if (labels.length > mostPoints) return;
    const point = new Path2D(points[at % points.length]);
    for (const [label, value] of one.values.entries()) if (value !== null) drawPoint(point, placeOf(label), heightOf(value));
  }

  /** Areas that lie on each other, up to the last label with a value. */
  function drawStack(placeOf: (label: number) => number, heightOf: (value: number) => number): void {
    const end = labels.findLastIndex((_, label) => series.some(({ values: ofSeries }) => (ofSeries[label] ?? null) !== null));
    let base = labels.slice(0, end + 1).map(() => 0);
    for (const [at, one] of series.entries()) {
      const top = base.map((below, label) => below + (one.values[label] ?? 0));
      context.beginPath();
      for (const [label, value] of top.entries()) context.lineTo(placeOf(label), heightOf(value));
      for (const [label, value] of [...base.entries()].toReversed()) context.lineTo(placeOf(label), heightOf(value));
      context.fillStyle = fillOf(one, at);
      context.fill();
      base = top;
    }
  }

  /** The names of labels below the chart, as many as there is room for. */
  function drawLabels(area: Area, placeOf: (at: number) => number): void {
    const widest = Math.max(...labels.map(measure));
    const every = Math.ceil((widest + labelGap) / (placeOf(1) - placeOf(0)));
    let end = -Infinity;
    for (const [at, label] of labels.entries()) {
      const half = measure(label) / 2;
      const x = Math.min(Math.max(placeOf(at), margin + half), width - margin - half);
      // The last one may be moved inwards, over the one before.
      if (at % every !== 0 || x - half < end + labelGap) continue;
      write(label, x, area.bottom + 4 + lineHeight / 2, 'center');
      end = x + half;
    }
  }

  function drawLines(area: Area): LabelAt {
    const last = Math.max(1, labels.length - 1);
    const placeOf = (at: number): number => area.left + (at / last) * (area.right - area.left);
    const heightOf = (value: number): number => area.bottom - (value / (values.at(-1) ?? 1)) * (area.bottom - area.top);
    for (const value of values) {
      drawLine(area.left, heightOf(value), area.right, heightOf(value));
      write(format(value, true), area.left - 8, heightOf(value), 'right');
    }
    drawLabels(area, placeOf);
    if (data.isStacked) drawStack(placeOf, heightOf);
    drawIncomplete(area, placeOf);
    drawThreshold(area, placeOf, heightOf);
    if (!data.isStacked) for (const [at, one] of [...series.entries()].toReversed()) drawSeries(one, at, placeOf, heightOf);
    return (x) => ({ label: Math.min(labels.length - 1, Math.max(0, Math.round(((x - area.left) / (area.right - area.left)) * last))) });
  }

  /** Cells whose colour is the stronger the larger their value is; the text stays readable on all of them. */
  function drawHeat({ left, right, top, bottom }: Area): LabelAt {
    const cell = { width: (right - left) / labels.length, height: (bottom - top) / series.length };
    const most = Math.max(0, ...series.flatMap(({ values: ofSeries }) => ofSeries.map((value) => value ?? 0)));
    const isRoomy = cell.height >= textSize + heat.padding;
    for (const [row, { values: ofSeries }] of series.entries()) {
      const y = top + row * cell.height;
      for (const [label, value] of ofSeries.entries()) {
        const x = left + label * cell.width;
        context.globalAlpha = value === null || value <= 0 ? 0 : heat.weakest + (heat.range * value) / most;
        context.fillStyle = colours.accent;
        context.fillRect(x, y, cell.width - 1, cell.height - 1);
        context.globalAlpha = 1;
        const text = value === null ? '–' : format(value, true);
        if (isRoomy && measure(text) + 2 * heat.padding <= cell.width)
          write(text, x + cell.width / 2, y + cell.height / 2, 'center', value === null || value === 0 ? colours.dimmed : colours.text);
      }
      if (row % Math.ceil((textSize + 2) / cell.height) === 0) write(names[row] ?? '', left - 8, y + cell.height / 2, 'right');
    }
    drawLabels({ left, right, top, bottom }, (label) => left + (label + 0.5) * cell.width);
    return (x, y) => ({ label: indexAt(x - left, cell.width, labels.length), series: indexAt(y - top, cell.height, series.length) });
  }

  function drawBars(area: Area): LabelAt {
    const lengthOf = (value: number): number => (value / (values.at(-1) ?? 1)) * (area.right - area.left);
    const band = (area.bottom - area.top) / labels.length;
    const widest = Math.max(...axisTexts.map(measure));
    const every = Math.ceil((widest + labelGap) / lengthOf(values[1] ?? 1));
    for (const [at, value] of values.entries()) {
      const x = area.left + lengthOf(value);
      drawLine(x, area.top, x, area.bottom);
      if (at % every === 0) write(axisTexts[at] ?? '', x, area.bottom + 4 + lineHeight / 2, 'center');
    }
    const besides = data.isStacked ? 1 : series.length;
    const thickness = Math.min(barLimits.thickness, (band * barLimits.share) / besides);
    const ends = labels.map(() => area.left);
    for (const [at, one] of series.entries()) {
      context.fillStyle = fillOf(one, at);
      for (const [label, value] of one.values.entries()) {
        const length = lengthOf(value ?? 0);
        const y = area.top + (label + 0.5) * band + (data.isStacked ? -0.5 : at - besides / 2) * thickness;
        context.fillRect(ends[label] ?? area.left, y, length, thickness);
        if (data.isStacked) ends[label] = (ends[label] ?? area.left) + length;
      }
    }
    for (const [at, name] of names.entries()) write(name, area.left - 8, area.top + (at + 0.5) * band, 'right');
    return (_x, y) => ({ label: indexAt(y - area.top, band, labels.length) });
  }

  context.clearRect(0, 0, width, height);
  if (isPicture) {
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, height);
  }
  const axisTexts = values.map((value) => format(value, true));
  const area = {
    left: margin + 8 + Math.max(...(isLine ? axisTexts : names).map(measure)),
    right: width - margin - Math.max(4, kind !== 'bar' ? 0 : measure(axisTexts.at(-1) ?? '') / 2),
    top: margin + drawTitle() + (hasLane ? markLane : 0),
    bottom: height - margin - drawLegend() - lineHeight - 4,
  };
  const labelAt = kind === 'heat' ? drawHeat(area) : isLine ? drawLines(area) : drawBars(area);
  return {
    area,
    labelAt: (x, y) => (x < area.left - 8 || x > area.right + 8 || y < area.top || y > area.bottom ? null : labelAt(x, y)),
  };
}

/** Draws a chart over a canvas, in the pixels of the screen; null where the canvas has no room. */
export function drawChart(
  canvas: HTMLCanvasElement,
  data: ChartData,
  { format, hasLane }: Pick<Options, 'format' | 'hasLane'>,
): DrawnChart | null {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser cannot draw');
  const { clientWidth: width, clientHeight: height } = canvas;
  // A page that goes away or is hidden has no room, and patterns cannot be drawn into none.
  if (width === 0 || height === 0) return null;
  Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
  context.scale(devicePixelRatio, devicePixelRatio);
  return draw(context, data, { width, height, isPicture: false, hasLane, format });
}

/** The chart with its title and legend as a picture in the colours of the page. */
export async function paintPicture(data: ChartData, format: Format): Promise<Blob> {
  const { width, ratio } = picture;
  const height = Math.max(picture.height, data.kind === 'heat' ? data.series.length * heat.row + heat.frame : 0);
  const canvas = new OffscreenCanvas(width * ratio, height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser cannot draw');
  context.scale(ratio, ratio);
  draw(context, data, { width, height, isPicture: true, hasLane: false, format });
  return canvas.convertToBlob({ type: 'image/png' });
}
