import { z } from 'zod';
import { type AnswerOf, anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { board, unseenTile } from './boards.ts';
import { idParams, multiple, queryId, single } from './listing.ts';
import {
  isByStatus,
  ownRatiosOf,
  ratioColumn,
  ratioOf,
  report,
  reportLimits,
  type ReportMeasure,
  type ReportQuery,
  writeOwnRatio,
} from './reports.ts';
import { measureOfColumn } from './report-texts.ts';
import { viewLimits, viewMessages } from './saved-views.ts';
import { choice, integer, plainText, storedId, textOrElse } from './text-fields.ts';

/** How a tile shows its report: the total of a measure, a chart of a measure, or the first rows. */
export const tileShapes = ['figure', 'chart', 'table'] as const;
export type TileShape = (typeof tileShapes)[number];

export const tileLimits = {
  /** Tiles of one account, and tiles that Home shows: own ones first, then shared ones. */
  perAccount: 24,
  measureCharacters: reportLimits.column,
  /** Rows of a table: by default and at most. */
  rows: 5,
  mostRows: 1_000,
  /** Measures of a table, and groups of a chart. */
  columns: 4,
  groups: 400,
} as const;

export const tileMessages = {
  tooMany: `You already have ${tileLimits.perAccount} tiles. Remove one first.`,
  view: 'Choose a saved report that you can open.',
  source: 'Send either the id of a saved view, or a name and a query.',
  ofView: 'This tile shows a saved view. Change the view instead.',
  measure: 'Choose a measure of the report.',
  roles: 'Share the saved view with these roles first, or with everyone.',
  changed: 'Home was changed elsewhere in the meantime. Look at it again, then repeat your change.',
  board: 'Choose one of your boards.',
  boardRoles: 'Readers of the board see this tile. Share the board instead.',
  excluded: 'The filters of this report and of the board leave nothing.',
  twice: 'Name each tile once.',
  outside: 'A tile has to end within the columns of the grid.',
  outdated: 'The saved view no longer fits. Open the report and save it again.',
  tooSlow: 'This report takes too long for a tile. Choose fewer days, or a filter.',
} as const;

/**
 * `pending`: the report is still being counted; call again. `denied`: the view is no longer shared with the owner of the tile. `hidden`: the
 * caller hides the tile, so nothing is counted.
 */
export const tileStates = ['ready', 'pending', 'failed', 'denied', 'hidden'] as const;

/** The grid of a board, and the most rows that it and a tile have. */
export const grid = { columns: 12, rows: 1_000, tileRows: 40 } as const;

/** Cards of Home that are no tiles. */
const homeCards = ['today', 'incidents'] as const;
export type HomeCard = (typeof homeCards)[number];

/** Where a tile or a card is, in columns and rows of the grid, and whether the reader hides it. */
export const place = z
  .strictObject({
    of: z.union([z.int(), choice(homeCards)]),
    x: integer().min(0),
    y: integer().min(0).max(grid.rows),
    w: integer().min(1),
    h: integer().min(1).max(grid.tileRows),
    is_hidden: z.boolean(),
  })
  .refine(({ x, w }) => x + w <= grid.columns, { error: tileMessages.outside });
export type Place = z.output<typeof place>;

/** A report on Home. The report has what the shape shows, of the apps in the caller's scope. */
export const tile = z.object({
  id: z.int(),
  shape: z.enum(tileShapes),
  /** The column that a figure and a chart show. */
  measure: z.string().nullable(),
  /** How many rows a table shows. */
  rows: z.int(),
  role_ids: z.array(z.int()),
  owner: z.object({ id: z.int(), name: z.string() }),
  /** Whether the caller may move, change and remove it. */
  is_own: z.boolean(),
  /** The saved view that the tile shows; with the id null, a report that the tile keeps itself. Null: the caller may not see the view. */
  view: z.object({ id: z.int().nullable(), name: z.string(), query: z.string() }).nullable(),
  state: z.enum(tileStates),
  report: report.nullable(),
  /** Why a report failed. */
  message: z.string().nullable(),
});
export type Tile = z.output<typeof tile>;

/** A tile as its owner keeps it, without its report. */
const storedTile = tile.pick({ id: true, shape: true, measure: true, rows: true, role_ids: true });

/** The report of a tile without a view. */
const ownReport = {
  name: textOrElse(viewLimits.nameCharacters, viewMessages.missingName),
  query: plainText(viewLimits.queryCharacters),
};

const fields = {
  shape: choice(tileShapes),
  measure: plainText(tileLimits.measureCharacters).nullable(),
  rows: integer().min(1).max(tileLimits.mostRows),
  role_ids: z.array(storedId()).max(100),
};

/** The `filters` that replace those of a board by none: an empty parameter counts as absent. */
export const noFilters = 'none';

/** Not in the specification. Tiles of Home in their order: own ones, then those that are shared with roles of the caller. */
export const getDashboard = defineEndpoint({
  number: 345,
  method: 'GET',
  path: 'dashboard',
  summary: 'Tiles of Home with their reports, within a time limit',
  access: anyPermission('manager_app_statistics'),
  query: z.object({
    id: multiple(z.string().regex(/^-?[1-9]\d{0,8}$/)).describe('These tiles alone, e.g. those whose reports were pending'),
    board: queryId().describe('A board by name; without it, Home'),
    filters: single(plainText(viewLimits.queryCharacters).optional()).describe(
      'Period and filters instead of those of the board; `none`: neither',
    ),
  }),
  answer: {
    kind: 'data',
    status: 200,
    /**
     * `hidden`: shared tiles beyond those that Home shows. `is_start`: the caller has changed nothing yet, and sees starting tiles with ids
     * below zero. `places`: the layout of the caller; tiles without a place are after the others. `version`: of the layout; 0: none is stored.
     */
    schema: z.object({
      tiles: z.array(tile),
      hidden: z.int(),
      is_start: z.boolean(),
      places: z.array(place),
      version: z.int(),
      board: board.nullable(),
      unseen: z.array(unseenTile),
    }),
  },
  rejections: [404],
});
export type Dashboard = AnswerOf<typeof getDashboard>;

export const createTile = defineEndpoint({
  number: 346,
  method: 'POST',
  path: 'dashboard/tiles',
  summary: 'Pin a report to Home, for oneself or for roles',
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  /** Either `view_id`, or `name` and `query`. */
  body: z.strictObject({
    ...fields,
    view_id: storedId().nullable().default(null),
    name: ownReport.name.optional(),
    query: ownReport.query.optional(),
    measure: fields.measure.default(null),
    rows: fields.rows.default(tileLimits.rows),
    role_ids: fields.role_ids.default([]),
    /** An own board; null: Home. */
    board_id: storedId().nullable().default(null),
  }),
  answer: { kind: 'data', status: 201, schema: storedTile },
});

export const updateTile = defineEndpoint({
  number: 347,
  method: 'PUT',
  path: 'dashboard/tiles/{id}',
  summary: "Change one's own tile; absent fields stay unchanged",
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  params: idParams,
  /** `name` and `query` change a tile without a view. */
  body: z.strictObject({ ...fields, ...ownReport }).partial(),
  answer: { kind: 'data', status: 200, schema: storedTile },
});

export const deleteTile = defineEndpoint({
  number: 348,
  method: 'DELETE',
  path: 'dashboard/tiles/{id}',
  summary: "Remove one's own tile",
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const updateLayout = defineEndpoint({
  number: 349,
  method: 'PUT',
  path: 'dashboard/layout',
  summary: "Place the tiles and cards of one's own Home",
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  body: z.strictObject({
    places: z
      .array(place)
      .max(100)
      .refine((places) => new Set(places.map(({ of }) => of)).size === places.length, { error: tileMessages.twice }),
    /** Version of the layout that was read; another one has replaced it otherwise. */
    read_version: integer().min(0),
    /** A board that the caller sees; null: Home. */
    board_id: storedId().nullable().default(null),
  }),
  answer: { kind: 'data', status: 200, schema: z.object({ version: z.int() }) },
  rejections: [404, 409],
});

export const startDashboard = defineEndpoint({
  number: 456,
  method: 'POST',
  path: 'dashboard/start',
  summary: "Make the starting tiles of Home one's own, to change them",
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  answer: { kind: 'data', status: 201, schema: z.object({ ids: z.array(z.int()), version: z.int() }) },
  rejections: [409],
});

/** Measures that a report has to count to show one of its columns; a ratio follows the sum that it divides by. Null if there is no such column. */
export function countsOfColumn(column: string, query: Pick<ReportQuery, 'ratio'>): Pick<ReportQuery, 'measure' | 'ratio'> | null {
  const own = ownRatiosOf(query).find(({ name }) => ratioColumn(name) === column);
  if (own !== undefined) return { measure: [own.whole], ratio: [writeOwnRatio(own)] };
  const { measure, status } = measureOfColumn(column);
  if (measure === undefined || (isByStatus(measure) && status === null)) return null;
  return { measure: wholeOf(measure).concat(measure), ratio: undefined };
}

function wholeOf(measure: ReportMeasure): ReportMeasure[] {
  const whole = ratioOf(measure, {})?.whole;
  return whole === undefined ? [] : [whole];
}
