import type { ChartData, Format, Series } from './chart-data.ts';
import { comparedDashes, createPen, type Pen } from './chart-pen.ts';

/** With more labels than this the points would touch. */
const mostPoints = 62;
/** Least pixels between the names along an axis. */
const labelGap = 12;

/** Pixels of bars: the thickest one, the share of their room that they fill, and those of compared values below them. */
const barLimits = { thickness: 22, share: 0.75, shareBeside: 0.94, compared: 5 } as const;
/** Least pixels of a bar with its value beside others of its label. */
export const leastBar = 14;
/** How much longer than the longest named bar that of others is drawn, and the pixels between the gaps of a cut bar. */
const mostOfNamed = 1.5;
const cutGap = 5;
const swatch = { line: 30, bar: 18, height: 9, gap: 6, name: 260 } as const;
/** The share of a chart's width that names at its side take at most. */
const namesShare = 0.38;
/** Below this width, values beside bars are written in compact form. */
const compactBelow = 600;
const picture = { width: 1200, height: 600, ratio: 2, most: 6000, margin: 24 } as const;
/** Pixels of a row of a heat map in a picture, and the least of a cell with its value. */
const heat = { row: 26, frame: 150, weakest: 0.06, range: 0.62, padding: 3 } as const;

/** The label at a place of a chart, in pixels, and in a heat map the series; null beside the plot. */
export type LabelAt = (x: number, y: number) => { label: number; series?: number } | null;

/** Where the values of a drawn chart are, in pixels. */
export type Area = { left: number; right: number; top: number; bottom: number };

/** A drawn chart: where its labels and values are, the place that stands for a label, and the pixels of its legend. */
export type DrawnChart = {
  labelAt: LabelAt;
  area: Area;
  placeOf: (label: number, series?: number) => { x: number; y: number };
  legend: number;
};

/** Pixels above the values that marks of time take. */
export const markLane = 16;
/** Pixels beside them, so that the first mark does not lie on the axis. */
const markMargin = 10;

/** Round values from 0, or one below the lowest, to one that none of the chart exceeds, at most six of positive ones. */
export function axisValues(highest: number, leastStep = 0, lowest = 0): number[] {
  const span = highest - Math.min(0, lowest);
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1));
  const steps = [1, 2, 2.5, 5, 10].map((part) => part * power);
  const step = Math.max(leastStep, steps.find((size) => size * 5 >= span) ?? 1);
  const first = Math.floor(Math.min(0, lowest) / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

function indexAt(offset: number, size: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(offset / size)));
}

/** How many bars each label of a chart has beside each other; compared values are below those of their label. */
export function barsBeside({ series, isStacked }: ChartData): number {
  return isStacked ? 1 : series.filter(({ kind }) => kind !== 'compared').length;
}

/** The bar of others that would leave the named ones no room: it is cut. */
function findCut({ othersAt, isStacked }: ChartData, columns: readonly (readonly number[])[]): number | undefined {
  if (othersAt === undefined || isStacked) return undefined;
  const named = longestOf(columns.filter((_, at) => at !== othersAt));
  return named > 0 && longestOf(columns.slice(othersAt)) > named * mostOfNamed ? othersAt : undefined;
}

function longestOf(columns: readonly (readonly number[])[]): number {
  return Math.max(0, ...columns.flat().map(Math.abs));
}

/** Entries of the legend in lines, each with its place. */
type Legend = { one: Series; at: number; x: number; name: string; total: string | null }[][];

/** The names of the series with their totals, in as many lines as they need. One series is named by the measure that was chosen. */
function layLegend(pen: Pen, data: ChartData, { width, margin, isPicture, format }: Omit<Options, 'height' | 'hasLane'>): Legend {
  const { series, kind, isStacked } = data;
  if (series.length < 2 || kind === 'heat') return [];
  const markWidth = kind === 'bar' || isStacked ? swatch.bar : swatch.line;
  const lines: Legend = [];
  let next = Infinity;
  for (const [at, one] of series.entries()) {
    const last = one.values.findLast((value) => value !== null) ?? null;
    const lastText = isPicture && kind === 'line' && last !== null ? `last ${format(last, false)}` : null;
    const total = one.total ?? lastText;
    const totalWidth = total === null ? 0 : pen.measure(total) + swatch.gap;
    const room = width - 2 * margin - markWidth - 3 * swatch.gap - totalWidth;
    const name = pen.fit(one.name, isPicture ? room : Math.min(room, swatch.name));
    const needed = markWidth + swatch.gap + pen.measure(name) + totalWidth + 2 * swatch.gap;
    if (next + needed > width - margin + 2 * swatch.gap) {
      next = margin;
      lines.push([]);
    }
    lines.at(-1)?.push({ one, at, x: next, name, total });
    next += needed;
  }
  return lines;
}

/** What stands above a picture: its title, its filters, what it shows and its total. */
function layHead(pen: Pen, { title, filters, note, total }: ChartData, room: number): { title: string[]; lines: string[] } {
  pen.setFont(20, 600);
  const titleLines = pen.wrap(title, room);
  pen.setFont();
  const texts = [filters === undefined || filters === '' ? null : `Filters: ${filters}`, note, total ?? null];
  return { title: titleLines, lines: texts.flatMap((text) => (text === null ? [] : pen.wrap(text, room))) };
}

const headLine = { title: 28, text: 22, below: 16 } as const;

type Options = { width: number; height: number; margin: number; isPicture: boolean; hasLane: boolean; format: Format };

/** Draws a chart. */
function draw(pen: Pen, data: ChartData, options: Options): DrawnChart {
  const { width, height, margin, isPicture, hasLane, format } = options;
  const { context, colours, textSize, measure, write, drawLine, widestOf } = pen;
  const { kind, series, labels } = data;
  const isLine = kind === 'line';
  const isFilled = !isLine || data.isStacked;
  const lineHeight = textSize + 10;
  const columns = labels.map((_, at) => series.map(({ values: ofSeries }) => ofSeries[at] ?? 0));
  const sumsOf = (all: readonly number[]): readonly number[] => (data.isStacked ? [all.reduce((sum, one) => sum + one, 0)] : all);
  const cutAt = findCut(data, columns);
  /** A value as it is drawn: that of a cut bar ends within the chart. */
  const cutValue = (label: number, value: number): number =>
    label === cutAt ? Math.sign(value) * Math.min(Math.abs(value), longestOf(columns.toSpliced(label, 1)) * mostOfNamed) : value;
  const sums = columns.flatMap((all, at) => sumsOf(all.map((value) => cutValue(at, value))));
  const [lowest, highest] = [Math.min(0, ...sums), Math.max(data.threshold?.value ?? 0, ...sums)];
  // Averages and changes in percent of counts are no whole numbers.
  const isWhole = data.form === 'count' && data.change !== 'percent' && columns.flat().every(Number.isInteger);
  const values = axisValues(highest, isWhole ? 1 : 0, lowest);
  const [axisStart, axisEnd] = [values[0] ?? 0, values.at(-1) ?? 1];
  const sideNames = kind === 'heat' ? series.map(({ name }) => name) : labels;
  const names = isLine ? [] : sideNames.map((name) => pen.fit(name, isPicture ? Infinity : width * namesShare));

  /** Gives the height that the legend takes. */
  function drawLegend(): number {
    const lines = layLegend(pen, data, options);
    const markWidth = isFilled ? swatch.bar : swatch.line;
    for (const [row, entries] of lines.entries()) {
      const y = height - margin - (lines.length - row - 0.5) * lineHeight;
      for (const { one, at, x, name, total } of entries) {
        pen.setStroke(one, at);
        if (!isFilled) {
          context.beginPath();
          context.moveTo(x, y);
          context.lineTo(x + markWidth, y);
          context.stroke();
        } else {
          context.fillStyle = pen.fillOf(one, at);
          context.fillRect(x, y - swatch.height / 2, markWidth, swatch.height);
        }
        context.setLineDash([]);
        write(name, x + markWidth + swatch.gap, y, 'left', colours.text);
        if (total !== null) write(total, x + markWidth + 2 * swatch.gap + measure(name), y);
      }
    }
    return lines.length * lineHeight;
  }

  function drawHead(): number {
    if (!isPicture) return textSize / 2;
    const head = layHead(pen, data, width - 2 * margin);
    let y = margin;
    pen.setFont(20, 600);
    for (const line of head.title) {
      write(line, margin, y + 10, 'left', colours.text);
      y += headLine.title;
    }
    pen.setFont();
    for (const line of head.lines) {
      write(line, margin, y + textSize / 2 + 2);
      y += headLine.text;
    }
    return y - margin + headLine.below;
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
    context.restore();
    write('Incomplete', left + 6, top + 6 + textSize / 2, 'left', colours.warning);
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

  function drawSeries(one: Series, at: number, placeOf: (label: number) => number, heightOf: (value: number) => number): void {
    pen.setStroke(one, at);
    context.beginPath();
    for (const [label, value] of one.values.entries()) {
      const isFirst = label === 0 || one.values[label - 1] === null;
      if (value !== null) context[isFirst ? 'moveTo' : 'lineTo'](placeOf(label), heightOf(value));
    }
    context.stroke();
    context.setLineDash([]);
    if (labels.length > mostPoints) return;
    for (const [label, value] of one.values.entries()) if (value !== null) pen.drawPoint(placeOf(label), heightOf(value));
  }

  /** Areas that lie on each other, up to the last label with a value, with a line of the ground between them. */
  function drawStack(placeOf: (label: number) => number, heightOf: (value: number) => number): void {
    const end = labels.findLastIndex((_, label) => series.some(({ values: ofSeries }) => (ofSeries[label] ?? null) !== null));
    let base = labels.slice(0, end + 1).map(() => 0);
    for (const [at, one] of series.entries()) {
      const top = base.map((below, label) => below + (one.values[label] ?? 0));
      const edge = new Path2D();
      context.beginPath();
      for (const [label, value] of top.entries()) {
        edge.lineTo(placeOf(label), heightOf(value));
        context.lineTo(placeOf(label), heightOf(value));
      }
      for (const [label, value] of [...base.entries()].toReversed()) context.lineTo(placeOf(label), heightOf(value));
      context.fillStyle = pen.fillOf(one, at);
      context.fill();
      Object.assign(context, { strokeStyle: colours.surface, lineWidth: 1 });
      context.stroke(edge);
      base = top;
    }
  }

  /** The names of labels below the chart, as many as there is room for. */
  function drawLabels(area: Area, placeOf: (at: number) => number): void {
    const every = Math.ceil((widestOf(labels) + labelGap) / (placeOf(1) - placeOf(0)));
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

  function drawLines(area: Area): Omit<DrawnChart, 'area' | 'legend'> {
    const last = Math.max(1, labels.length - 1);
    const placeOf = (at: number): number => area.left + (at / last) * (area.right - area.left);
    const heightOf = (value: number): number => area.bottom - ((value - axisStart) / (axisEnd - axisStart)) * (area.bottom - area.top);
    const every = Math.ceil((textSize + 4) / (heightOf(values[0] ?? 0) - heightOf(values[1] ?? 1)));
    for (const [at, value] of values.entries()) {
      drawLine(area.left, heightOf(value), area.right, heightOf(value));
      if (at % every === 0) write(axisTexts[at] ?? '', area.left - 8 - (hasLane ? markMargin : 0), heightOf(value), 'right');
    }
    drawLabels(area, placeOf);
    if (data.isStacked) drawStack(placeOf, heightOf);
    drawIncomplete(area, placeOf);
    drawThreshold(area, placeOf, heightOf);
    if (!data.isStacked) for (const [at, one] of [...series.entries()].toReversed()) drawSeries(one, at, placeOf, heightOf);
    return {
      labelAt: (x) => ({
        label: Math.min(labels.length - 1, Math.max(0, Math.round(((x - area.left) / (area.right - area.left)) * last))),
      }),
      placeOf: (label) => ({ x: placeOf(label), y: area.top + (area.bottom - area.top) / 3 }),
    };
  }

  /** Cells whose colour is the stronger the larger their value is; the text stays readable on all of them. All cells have their value, or none. */
  function drawHeat({ left, right, top, bottom }: Area): Omit<DrawnChart, 'area' | 'legend'> {
    const cell = { width: (right - left) / labels.length, height: (bottom - top) / series.length };
    const most = Math.max(0, ...series.flatMap(({ values: ofSeries }) => ofSeries.map((value) => value ?? 0)));
    const texts = cellTexts(data, format);
    const isWritten = cell.height >= textSize + heat.padding && widestOf(texts.flat()) + 2 * heat.padding <= cell.width;
    for (const [row, { values: ofSeries }] of series.entries()) {
      const y = top + row * cell.height;
      for (const [label, value] of ofSeries.entries()) {
        const x = left + label * cell.width;
        context.globalAlpha = value === null || value <= 0 ? 0 : heat.weakest + (heat.range * value) / most;
        context.fillStyle = colours.accent;
        context.fillRect(x, y, cell.width - 1, cell.height - 1);
        context.globalAlpha = 1;
        if (!isWritten) continue;
        const colour = value === null || value === 0 ? colours.dimmed : colours.text;
        write(texts[row]?.[label] ?? '', x + cell.width / 2, y + cell.height / 2, 'center', colour);
      }
      if (row % Math.ceil((textSize + 2) / cell.height) === 0) write(names[row] ?? '', left - 8, y + cell.height / 2, 'right');
    }
    drawLabels({ left, right, top, bottom }, (label) => left + (label + 0.5) * cell.width);
    return {
      labelAt: (x, y) => ({ label: indexAt(x - left, cell.width, labels.length), series: indexAt(y - top, cell.height, series.length) }),
      placeOf: (label, row = 0) => ({ x: left + (label + 0.5) * cell.width, y: top + (row + 0.5) * cell.height }),
    };
  }

  /** The values at the ends of bars: of a stack its sum, unless it is the whole. */
  function endTexts(): (string | null)[][] {
    const isCompact = !isPicture && width < compactBelow;
    if (data.isStacked) return data.form === 'share' ? [] : [columns.flatMap(sumsOf).map((sum) => format(sum, isCompact))];
    return series.map(({ kind: side, ends, values: ofSeries }) =>
      side === 'compared' ? [] : ofSeries.map((value, at) => ends?.[at] ?? (value === null ? null : format(value, isCompact))),
    );
  }

  function drawBars(whole: Area): Omit<DrawnChart, 'legend'> {
    const texts = endTexts();
    const widestEnd = (isLoss: boolean): number =>
      widestOf(
        texts.flatMap((ofSeries, at) =>
          ofSeries.flatMap((text, label) => (text !== null && endOf(at, label) < 0 === isLoss ? [text] : [])),
        ),
      );
    const endOf = (at: number, label: number): number =>
      data.isStacked ? (sumsOf(columns[label] ?? [])[0] ?? 0) : (series[at]?.values[label] ?? 0);
    const before = axisStart < 0 ? widestEnd(true) + 2 * swatch.gap : 0;
    const after = Math.max(widestEnd(false) + 2 * swatch.gap, measure(axisTexts.at(-1) ?? '') / 2);
    const area = { ...whole, left: whole.left + before, right: whole.right - after };
    const xOf = (value: number): number => area.left + ((value - axisStart) / (axisEnd - axisStart)) * (area.right - area.left);
    const zero = xOf(0);
    const band = (area.bottom - area.top) / labels.length;
    const every = Math.ceil((widestOf(axisTexts) + labelGap) / (xOf(values[1] ?? 1) - xOf(values[0] ?? 0)));
    // Counted from zero, which is always named.
    const zeroAt = values.indexOf(0);
    for (const [at, value] of values.entries()) {
      drawLine(xOf(value), area.top, xOf(value), area.bottom, value === 0 && axisStart < 0 ? colours.dimmed : colours.line);
      if ((at - zeroAt) % every === 0) write(axisTexts[at] ?? '', xOf(value), area.bottom + 4 + lineHeight / 2, 'center');
    }
    const beside = barsBeside(data);
    const below = series.length > beside && !data.isStacked ? barLimits.compared + 1 : 0;
    const share = beside > 1 ? barLimits.shareBeside : barLimits.share;
    const thickness = Math.min(barLimits.thickness, (band * share - below) / beside);
    const ends = labels.map(() => zero);
    for (const [at, one] of series.entries()) {
      const isCompared = one.kind === 'compared';
      for (const [label, value] of one.values.entries()) {
        const middle = area.top + (label + 0.5) * band;
        const first = middle - (thickness * beside + below) / 2;
        const y = isCompared ? first + thickness * beside + 1 : first + (data.isStacked ? 0 : at * thickness);
        const start = data.isStacked ? (ends[label] ?? zero) : zero;
        const isCut = label === cutAt;
        const length = xOf(cutValue(label, value ?? 0)) - zero;
        const isLoss = data.change !== undefined && length < 0;
        const bar = isCompared ? barLimits.compared : thickness - (beside > 1 ? 1 : 0);
        context.fillStyle = pen.fillOf(label === data.othersAt && !data.isStacked ? { ...one, kind: 'others' } : one, isLoss ? 1 : at);
        context.fillRect(start, y, length, bar);
        // Two slanted gaps say that a bar goes on.
        if (isCut && Math.abs(length) > cutGap * 3)
          for (const gap of [2, 3])
            drawLine(
              start + length - Math.sign(length) * cutGap * gap - 3,
              y + bar,
              start + length - Math.sign(length) * cutGap * gap + 3,
              y,
              colours.surface,
            );
        if (data.isStacked) {
          ends[label] = start + length;
          drawLine(start + length, y, start + length, y + thickness, colours.surface);
        }
        const text = data.isStacked ? null : texts[at]?.[label];
        if (text !== null && text !== undefined && (beside === 1 || thickness >= textSize - 1))
          writeEnd(text, start + length, y + thickness / 2, length < 0);
      }
    }
    if (data.isStacked) {
      for (const [label, text] of (texts[0] ?? []).entries())
        if (text !== null) writeEnd(text, ends[label] ?? zero, area.top + (label + 0.5) * band, (ends[label] ?? zero) < zero);
    }
    for (const [at, name] of names.entries()) write(name, whole.left - 8, area.top + (at + 0.5) * band, 'right');
    return {
      area,
      labelAt: (_x, y) => ({ label: indexAt(y - area.top, band, labels.length) }),
      placeOf: (label) => ({ x: (area.left + area.right) / 2, y: area.top + (label + 0.5) * band }),
    };
  }

  function writeEnd(text: string, x: number, y: number, isLoss: boolean): void {
    write(text, x + (isLoss ? -swatch.gap : swatch.gap), y, isLoss ? 'right' : 'left', colours.text);
  }

  context.clearRect(0, 0, width, height);
  if (isPicture) {
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, height);
  }
  const axisTexts = values.map((value) => format(value, true));
  const legend = drawLegend();
  const area = {
    left: margin + 8 + widestOf(isLine ? axisTexts : names) + (hasLane ? markMargin : 0),
    right: width - margin - 4 - (hasLane ? markMargin : 0),
    top: margin + drawHead() + (hasLane ? markLane : 0),
    bottom: height - margin - legend - lineHeight - 4,
  };
  const drawn = { area, ...(kind === 'heat' ? drawHeat(area) : isLine ? drawLines(area) : drawBars(area)) };
  const [left, right] = kind === 'bar' ? [0, width] : [area.left - 8, area.right + 8];
  return {
    ...drawn,
    legend,
    labelAt: (x, y) => (x < left || x > right || y < area.top || y > area.bottom ? null : drawn.labelAt(x, y)),
  };
}

/** The values of a heat map as its cells have them. */
function cellTexts({ series }: ChartData, format: Format): string[][] {
  return series.map(({ values }) => values.map((value) => (value === null ? '–' : format(value, true))));
}

type ScreenOptions = Pick<Options, 'format' | 'hasLane'> & { hasPatterns: boolean };

/** Draws a chart over a canvas, in the pixels of the screen; null where the canvas has no room. */
export function drawChart(canvas: HTMLCanvasElement, data: ChartData, { format, hasLane, hasPatterns }: ScreenOptions): DrawnChart | null {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser cannot draw');
  const { clientWidth: width, clientHeight: height } = canvas;
  // A page that goes away or is hidden has no room, and patterns cannot be drawn into none.
  if (width === 0 || height === 0) return null;
  Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
  context.scale(devicePixelRatio, devicePixelRatio);
  return draw(createPen(context, { textSize: 12, hasPatterns }), data, { width, height, margin: 0, isPicture: false, hasLane, format });
}

/** The chart with its title, filters and legend as a picture in the colours of the page, as large as its names and values need. */
export async function paintPicture(data: ChartData, { format, hasPatterns }: Omit<ScreenOptions, 'hasLane'>): Promise<Blob> {
  const style = { textSize: 14, hasPatterns };
  const { margin, ratio } = picture;
  const plan = createPen(contextOf(new OffscreenCanvas(1, 1)), style);
  const names = plan.widestOf(data.kind === 'line' ? [] : data.kind === 'heat' ? data.series.map(({ name }) => name) : data.labels);
  const cells = data.kind === 'heat' ? data.labels.length * (plan.widestOf(cellTexts(data, format).flat()) + 2 * heat.padding + 1) : 0;
  const width = Math.min(picture.most, Math.max(picture.width, Math.ceil(names + Math.max(cells, picture.width / 2) + 3 * margin)));
  const options = { width, margin, isPicture: true, hasLane: false, format };
  const head = layHead(plan, data, width - 2 * margin);
  const above = head.title.length * headLine.title + head.lines.length * headLine.text;
  const below = layLegend(plan, data, options).length * (style.textSize + 10);
  const rows =
    data.kind === 'heat'
      ? data.series.length * heat.row
      : data.kind === 'bar'
        ? data.labels.length * Math.max(heat.row, barsBeside(data) * 18)
        : 0;
  const height = Math.max(picture.height, above + below + rows + heat.frame);
  const canvas = new OffscreenCanvas(width * ratio, height * ratio);
  const context = contextOf(canvas);
  context.scale(ratio, ratio);
  draw(createPen(context, style), data, { ...options, height });
  return canvas.convertToBlob({ type: 'image/png' });
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser cannot draw');
  return context;
}
