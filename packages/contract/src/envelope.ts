import { z } from 'zod';

/** Pagination of a list. Cursor lists fill only `count`, `limit` and the cursors. */
export const pagination = z.object({
  total: z.int().nullable(),
  count: z.int(),
  limit: z.int(),
  currentPage: z.int().nullable(),
  totalPages: z.int().nullable(),
  current_page: z.int().nullable(),
  last_page: z.int().nullable(),
  links: z.array(z.object({ label: z.string(), active: z.boolean(), page: z.int().nullable() })),
  prev_cursor: z.string().nullable(),
  next_cursor: z.string().nullable(),
});
export type Pagination = z.output<typeof pagination>;

/** Messages by dotted field path, one for each field. */
export const fieldErrorMap = z
  .custom<Record<string, string[]>>(isFieldErrorMap)
  // A record of zod would drop `__proto__`, which may be an unknown field.
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'array', items: { type: 'string' } } });

function isFieldErrorMap(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((text) => typeof text === 'string'))
  );
}
export type FieldErrorMap = z.output<typeof fieldErrorMap>;

/** Body of every rejected call. */
export const failure = z.object({
  success: z.literal(false),
  message: z.string(),
  errors: fieldErrorMap.optional(),
  data: z.unknown().optional(),
  request_id: z.string().optional(),
});
export type Failure = z.output<typeof failure>;

/** Messages shared by all calls. */
export const messages = {
  malformedBody: 'Malformed request body',
  headTooLarge: 'The address or a header of the request is too long. Choose a shorter filter.',
  unauthorized: 'You are not authorized',
  forbidden: 'You have no permission for this action',
  confirmIdentity: 'Confirm that it is you',
  setUpFactor: 'Set up a second factor first',
  notFound: 'Not found',
  stale: 'Changed by someone else',
  bodyTooLarge: 'The request body is too large',
  unsupportedMediaType: 'Unsupported media type',
  invalidData: 'The given data was invalid.',
  tooManyAttempts: 'Too many attempts. Try again later',
  somethingWrong: 'Something went wrong',
  databaseUnavailable: 'Database is unavailable, try again',
  eventStoreUnavailable: 'The event store is unavailable, try again',
  storageFull: 'Storage is full',
  busy: 'The server is busy, try again',
  shuttingDown: 'The server is shutting down, try again',
  tooManyDownloads: 'Too many downloads are running, try again',
  /** Shown by the client for a 204. */
  done: 'Done!',
  /** Shown by the client if there was no response. */
  undefinedResponse: 'Something went wrong, response is UNDEFINED',
} as const;

/** Page links of a numbered list: Previous, first, current plus or minus two, last, Next, with `...` for skipped pages. */
export function pageLinks(currentPage: number, totalPages: number): Pagination['links'] {
  const numbers = Array.from({ length: totalPages === 0 ? 0 : 5 }, (_, i) => currentPage - 2 + i).filter((n) => n > 1 && n < totalPages);
  const pageNumbers = totalPages <= 1 ? [1] : [1, ...numbers, totalPages];
  const links: Pagination['links'] = [
    { label: 'Previous', active: false, page: currentPage > 1 ? Math.min(currentPage - 1, totalPages) : null },
  ];
  let last = 0;
  for (const page of pageNumbers) {
    if (page - last > 1) links.push({ label: '...', active: false, page: null });
    links.push({ label: String(page), active: page === currentPage, page });
    last = page;
  }
  links.push({ label: 'Next', active: false, page: currentPage < totalPages ? currentPage + 1 : null });
  return links;
}

/** Pagination object of a numbered list with an exact total. */
export function pageForm(input: { total: number; count: number; limit: number; page: number }): Pagination {
  const totalPages = Math.max(1, Math.ceil(input.total / input.limit));
  return {
    total: input.total,
    count: input.count,
    limit: input.limit,
    currentPage: input.page,
    totalPages,
    current_page: input.page,
    last_page: totalPages,
    links: pageLinks(input.page, totalPages),
    prev_cursor: null,
    next_cursor: null,
  };
}

/** Pagination object of a cursor list. */
export function cursorForm(input: { count: number; limit: number; previous: string | null; next: string | null }): Pagination {
  return {
    total: null,
    count: input.count,
    limit: input.limit,
    currentPage: null,
    totalPages: null,
    current_page: null,
    last_page: null,
    links: [],
    prev_cursor: input.previous,
    next_cursor: input.next,
  };
}
