import { requestRow, type RequestRow } from '@switchyard/contract/requests';
import { z } from 'zod';

/** Every text empty, every flag off, all else null. */
const emptyRow = Object.fromEntries(
  Object.entries(requestRow.shape).map(([name, schema]) => {
    if (schema instanceof z.ZodString) return [name, ''];
    return [name, schema instanceof z.ZodBoolean ? false : null];
  }),
);

/** A request with the given id, and nothing remarkable about it. */
export function sampleRequest(id: number): RequestRow {
  return requestRow.parse({
    ...emptyRow,
    id,
    uuid: `01936b0e-7c1e-7a52-9f0b-${String(id).padStart(12, '0')}`,
    app_id: 12,
    app_bundle: 'com.acme.bet',
    client_uid: `c-${id}`,
    ip: '203.0.113.9',
    date: '2026-11-20 10:11:12',
    concatenated_date: '2026-11-20 10:11:12.345678',
    type: 'create',
  });
}
