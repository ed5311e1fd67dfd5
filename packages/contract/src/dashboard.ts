import { z } from 'zod';
import { type AnswerOf, anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { readKindMeasure } from './kind-measures.ts';
import { idParams, multiple } from './listing.ts';
import {
  ownRatiosOf,
  ratioColumn,
  ratioOf,
  report,
  reportLimits,
  reportMeasures,
  type ReportMeasure,
  type ReportQuery,
  writeOwnRatio,
} from './reports.ts';
import { choice, integer, plainText } from './text-fields.ts';

/** How a tile shows its report: the total of a measure, a chart of a measure, or the first rows. */
export const tileShapes = ['figure', 'chart', 'table'] as const;
export type TileShape = (typeof tileShapes)[number];

export const tileLimits = {
  /** Tiles of one account, and tiles that Home shows: own ones first, then shared ones. */
  perAccount: 24,
  measureCharacters: reportLimits.column,
  /** Rows and measures of a table, and groups of a chart. */
  rows: 5,
  columns: 4,
  groups: 400,
} as const;

export const tileMessages = {
  tooMany: `You already have ${tileLimits.perAccount} tiles. Remove one first.`,
  view: 'Choose a saved report that you can open.',
  measure: 'Choose a measure of the report.',
  roles: 'Share the saved view with these roles first, or with everyone.',
  order: 'Your tiles have changed in the meantime. Reload Home.',
  outdated: 'The saved view no longer fits. Open the report and save it again.',
  tooSlow: 'This report takes too long for a tile. Choose fewer days, or a filter.',
} as const;

/** `pending`: the report is still being counted; call again. `denied`: the view is no longer shared with the owner of the tile. */
export const tileStates = ['ready', 'pending', 'failed', 'denied'] as const;

/** A saved report on Home. The report has what the shape shows, of the apps in the caller's scope. */
export const tile = z.object({
  id: z.int(),
  shape: z.enum(tileShapes),
  /** The column that a figure and a chart show. */
  measure: z.string().nullable(),
  role_ids: z.array(z.int()),
  owner: z.object({ id: z.int(), name: z.string() }),
  /** Whether the caller may move, change and remove it. */
  is_own: z.boolean(),
  view: z.object({ id: z.int(), name: z.string(), query: z.string() }).nullable(),
  state: z.enum(tileStates),
  report: report.nullable(),
  /** Why a report failed. */
  message: z.string().nullable(),
});
export type Tile = z.output<typeof tile>;

/** A tile as its owner keeps it, without its report. */
const storedTile = tile.pick({ id: true, shape: true, measure: true, role_ids: true });

const fields = {
  shape: choice(tileShapes),
  measure: plainText(tileLimits.measureCharacters).nullable(),
  role_ids: z.array(integer()).max(100),
};

/** Not in the specification. Tiles of Home in their order: own ones, then those that are shared with roles of the caller. */
export const getDashboard = defineEndpoint({
  number: 345,
  method: 'GET',
  path: 'dashboard',
  summary: 'Tiles of Home with their reports, within a time limit',
  access: anyPermission('manager_app_statistics'),
  query: z.object({
    id: multiple(z.string().regex(/^[1-9]\d{0,8}$/)).describe('These tiles alone, e.g. those whose reports were pending'),
  }),
  answer: {
    kind: 'data',
    status: 200,
    /** `hidden`: shared tiles beyond those that Home shows. */
    schema: z.object({ tiles: z.array(tile), hidden: z.int() }),
  },
});
export type Dashboard = AnswerOf<typeof getDashboard>;

export const createTile = defineEndpoint({
  number: 346,
  method: 'POST',
  path: 'dashboard/tiles',
  summary: 'Pin a saved report to Home, for oneself or for roles',
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  body: z.strictObject({ ...fields, view_id: integer(), measure: fields.measure.default(null), role_ids: fields.role_ids.default([]) }),
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
  body: z.strictObject(fields).partial(),
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

export const orderTiles = defineEndpoint({
  number: 349,
  method: 'PUT',
  path: 'dashboard/order',
  summary: "Reorder one's own tiles",
  access: peopleWith('manager_app_statistics'),
  recentSignIn: null,
  body: z.strictObject({ ids: z.array(integer()).max(tileLimits.perAccount) }),
  answer: { kind: 'empty' },
});

/** Measures that a report has to count to show one of its columns; a ratio follows the sum that it divides by. Null if there is no such column. */
export function countsOfColumn(column: string, query: Pick<ReportQuery, 'ratio'>): Pick<ReportQuery, 'measure' | 'ratio'> | null {
  const own = ownRatiosOf(query).find(({ name }) => ratioColumn(name) === column);
  if (own !== undefined) return { measure: [own.whole], ratio: [writeOwnRatio(own)] };
  const [subject] = column.split(':');
  const byStatus = column.includes(':') ? `${subject}_by_status` : null;
  const measure =
    readKindMeasure(column)?.measure ??
    reportMeasures.find((name) => name === (byStatus ?? column) && name.endsWith('_by_status') === (byStatus !== null));
  if (measure === undefined) return null;
  return { measure: wholeOf(measure).concat(measure), ratio: undefined };
}

function wholeOf(measure: ReportMeasure): ReportMeasure[] {
  const whole = ratioOf(measure, {})?.whole;
  return whole === undefined ? [] : [whole];
}
