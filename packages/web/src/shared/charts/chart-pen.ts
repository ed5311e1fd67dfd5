import type { Series } from './chart-data.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Request types have these colours everywhere; other series take them in this order. */
const palette = ['create', 'proxy', 'receive', 'error', 'token', 'track', 'static'] as const;
/** With patterns, series differ by their dashes, too, so that no colour is needed. */
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2], [1, 4]];
export const comparedDashes = [5, 4];
/** Lines in bars and areas with patterns; these are drawn into tiles. */
const hatches = ['', 'M0 8L8 0', 'M0 0L8 8', 'M0 4H8', 'M4 0V8', 'M0 4H8M4 0V8', 'M0 0L8 8M0 8L8 0'];
const tileSize = 8;

function colourName({ kind, type }: Pick<Series, 'kind' | 'type'>, at: number): string {
  return kind === 'current' ? `type-${type ?? palette[at % palette.length] ?? ''}` : 'control';
}

/** The colour of a series beside its chart. */
export function seriesColour(one: Series | undefined, at: number): string {
  return `var(--sy-${colourName(one ?? { kind: 'current' }, at)})`;
}

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
    series: (one: Series, at: number): string => colour(colourName(one, at)),
  };
}

type Style = { textSize: number; hasPatterns: boolean };

/** Writes and draws into a context, whose unit is a pixel of the page, in the colours and the font of the page. */
export function createPen(context: Context, { textSize, hasPatterns }: Style) {
  const colours = readColours();

  function setFont(size = textSize, weight = 400): void {
    context.font = `${weight} ${size}px 'Inter Variable', system-ui, sans-serif`;
  }
  function measure(text: string): number {
    return context.measureText(text).width;
  }
  /** As many characters of a text as `most` pixels have room for. */
  function charactersIn(text: string, most: number): number {
    const characters = Array.from(text);
    let [low, high] = [1, characters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (measure(characters.slice(0, middle).join('')) <= most) low = middle;
      else high = middle - 1;
    }
    return low;
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
  setFont();
  return {
    context,
    colours,
    textSize,
    measure,
    write,
    drawLine,
    setFont,
    widestOf: (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, measure(text)), 0),
    /** A text, or its beginning where it is wider than `most` pixels. */
    fit: (text: string, most: number): string =>
      measure(text) <= most
        ? text
        : `${Array.from(text)
            .slice(0, charactersIn(text, most - measure('…')))
            .join('')
            .trimEnd()}…`,
    /** A text in lines of at most `most` pixels, broken at spaces, and within words that are longer than a line. */
    wrap(text: string, most: number): string[] {
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (measure(longer) <= most) {
          line = longer;
          continue;
        }
        if (line !== '') lines.push(line);
        line = word;
        while (measure(line) > most) {
          const count = charactersIn(line, most);
          lines.push(Array.from(line).slice(0, count).join(''));
          line = Array.from(line).slice(count).join('');
        }
      }
      return line === '' ? lines : [...lines, line];
    },
    setStroke(one: Series, at: number): void {
      const isCompared = one.kind === 'compared';
      const colour = colours.series(one, at);
      Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: isCompared ? 1.5 : 2 });
      context.setLineDash(!hasPatterns ? [] : isCompared ? comparedDashes : (dashes[at % dashes.length] ?? []));
    },
    fillOf(one: Series, at: number): string | CanvasPattern {
      const colour = colours.series(one, at);
      if (!hasPatterns || at === 0) return colour;
      const tile = new OffscreenCanvas(tileSize, tileSize);
      const pattern = tile.getContext('2d');
      if (pattern === null) return colour;
      Object.assign(pattern, { fillStyle: colour, strokeStyle: colours.surface, lineWidth: 1.5 });
      pattern.fillRect(0, 0, tileSize, tileSize);
      pattern.stroke(new Path2D(hatches[at % hatches.length]));
      return context.createPattern(tile, 'repeat') ?? colour;
    },
    drawPoint(x: number, y: number): void {
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.fill();
    },
  };
}

export type Pen = ReturnType<typeof createPen>;
