import { z } from 'zod';
import { single, type RawQuery } from './listing.ts';

const formats = ['csv', 'excel'] as const;
/** Forms of a CSV file. That for Excel begins with a byte order mark, without which Excel does not read UTF-8. */
export type CsvFormat = (typeof formats)[number];

/** The parameter of downloads that chooses the form of the file. */
export const csvFormat = { format: single(z.enum(formats).default('csv')) };

export const byteOrderMark = '\uFEFF';

/** Whether a call asks for a file that begins with a byte order mark. */
export function asksForExcel({ format }: RawQuery): boolean {
  return csvFormat.format.safeParse(format).data === 'excel';
}
