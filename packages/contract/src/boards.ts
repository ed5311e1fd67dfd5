import { z } from 'zod';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams, readQuery, unknownNames } from './listing.ts';
import { boardQuery, type BoardQuery, type ReportQuery, writeWithin } from './reports.ts';
import { viewLimits, viewMessages } from './saved-views.ts';
import { integer, plainText, storedId, textOrElse } from './text-fields.ts';

export const boardLimits = { perAccount: 20, accounts: 50 } as const;

export const boardMessages = {
  tooMany: `You already have ${boardLimits.perAccount} boards. Delete one first.`,
  query: 'Choose a period and filters of reports.',
  others: 'Only accounts that see the list of users can share with people.',
  changed: 'The board was changed elsewhere in the meantime. Look at it again, then repeat your change.',
} as const;

/** A board by name. `query`: period and filters that apply to all its tiles, as the query string of a report. */
export const board = z.object({
  id: z.int(),
  name: z.string(),
  query: z.string(),
  role_ids: z.array(z.int()),
  accounts: z.array(z.object({ id: z.int(), name: z.string() })),
  owner: z.object({ id: z.int(), name: z.string() }),
  /** Whether the caller may change it and its tiles. */
  is_own: z.boolean(),
  version: z.int(),
});
export type Board = z.output<typeof board>;

/** A reader of a board who does not see one of its tiles; with `tile_id` null, one who may not open reports at all. */
export const unseenTile = z.object({ tile_id: z.int().nullable(), reader: z.string() });
export type UnseenTile = z.output<typeof unseenTile>;

const fields = {
  name: textOrElse(viewLimits.nameCharacters, viewMessages.missingName),
  query: plainText(viewLimits.queryCharacters),
  role_ids: z.array(storedId()).max(100),
  account_ids: z.array(storedId()).max(boardLimits.accounts),
};

const access = peopleWith('manager_app_statistics');
/** A stored board, and which of its readers do not see which tiles. */
const stored = board.extend({ unseen: z.array(unseenTile) });
export type StoredBoard = z.output<typeof stored>;

export const listBoards = defineEndpoint({
  number: 457,
  method: 'GET',
  path: 'boards',
  summary: 'Boards that the caller sees: own ones first, by name',
  access: anyPermission('manager_app_statistics'),
  answer: { kind: 'data', status: 200, schema: z.array(board) },
});

export const createBoard = defineEndpoint({
  number: 458,
  method: 'POST',
  path: 'boards',
  summary: 'Create a board, for oneself, roles or people',
  access,
  recentSignIn: null,
  body: z.strictObject({
    ...fields,
    query: fields.query.default(''),
    role_ids: fields.role_ids.default([]),
    account_ids: fields.account_ids.default([]),
  }),
  answer: { kind: 'data', status: 201, schema: stored },
});

export const updateBoard = defineEndpoint({
  number: 459,
  method: 'PUT',
  path: 'boards/{id}',
  summary: "Rename, filter or share one's own board; absent fields stay unchanged",
  access,
  recentSignIn: null,
  params: idParams,
  body: z.strictObject({ ...z.object(fields).partial().shape, read_version: integer() }),
  answer: { kind: 'data', status: 200, schema: stored },
  rejections: [409],
});

export const deleteBoard = defineEndpoint({
  number: 460,
  method: 'DELETE',
  path: 'boards/{id}',
  summary: "Delete one's own board with its tiles",
  access,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

/** Period and filters as they are stored; null if they are none. */
export function readBoardQuery(text: string): BoardQuery | null {
  if (unknownNames(boardQuery, text).length > 0) return null;
  return boardQuery.safeParse(readQuery(text)).data ?? null;
}

function both<Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | undefined {
  if (one === undefined || other === undefined) return (one ?? other)?.slice();
  return one.filter((value) => other.includes(value));
}

function either<Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | undefined {
  return one === undefined && other === undefined ? undefined : [...new Set([...(one ?? []), ...(other ?? [])])];
}

/** The list of values that is in the other one, if there is one; null if both have to be kept. */
function narrower<Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | null | undefined {
  const common = both(one, other);
  return common === undefined || [one?.length, other?.length].includes(common.length) ? common : null;
}

/** As `both` for types. An error is beside it of a type. */
function bothTypes(one: ReportQuery['type'], other: ReportQuery['type']): ReportQuery['type'] | null {
  return one?.includes('error') === other?.includes('error') ? both(one, other) : narrower(one, other);
}

/** A report within the period and the filters of a board; null if their filters leave nothing. */
export function narrowReport(query: ReportQuery, by: BoardQuery): ReportQuery | null {
  const { startDate, endDate, period, days } = by;
  const hasDays = [startDate, endDate, period, days].some((value) => value !== undefined);
  const several = {
    buyerId: narrower(query.buyerId, by.buyerId),
    bot: narrower(query.bot, by.bot),
    type: bothTypes(query.type, by.type),
  };
  const only = {
    appId: both(query.appId, by.appId),
    vertical: both(query.vertical, by.vertical),
    geo: both(query.geo, by.geo),
    streamUid: both(query.streamUid, by.streamUid),
    asn: both(query.asn, by.asn),
    serverId: both(query.serverId, by.serverId),
    statusConversion: both(query.statusConversion, by.statusConversion),
  };
  if ([...Object.values(only), several.type].some((values) => values?.length === 0)) return null;
  const further = writeWithin({
    buyerId: several.buyerId === null ? by.buyerId : undefined,
    bot: several.bot === null ? by.bot : undefined,
    type: several.type === null ? by.type : undefined,
  });
  return {
    ...query,
    ...only,
    buyerId: several.buyerId ?? query.buyerId,
    bot: several.bot ?? query.bot,
    type: several.type ?? query.type,
    within: further.length === 0 ? query.within : either(query.within, further),
    geoNot: either(query.geoNot, by.geoNot),
    streamUidNot: either(query.streamUidNot, by.streamUidNot),
    asnNot: either(query.asnNot, by.asnNot),
    botNot: either(query.botNot, by.botNot),
    ipNot: either(query.ipNot, by.ipNot),
    typeNot: either(query.typeNot, by.typeNot),
    statusConversionNot: either(query.statusConversionNot, by.statusConversionNot),
    ...(hasDays && { startDate, endDate, period, days: days ?? query.days }),
  };
}
