import { JsonText } from '@switchyard/contract/exact-json';
import { objectOf } from '../entry-values.ts';
import type { LogFormat } from './log-format.ts';
import { scalarOf } from './logfmt.ts';

const fieldsDirective = /^#Fields:\s*(.+)$/m;
const dateDirective = /^#Date:\s*(\d{4}-\d\d-\d\d)/m;

/** The W3C extended log file format, as IIS and CloudFront write it, with the fields that the first block names; null if it names none. */
export function w3cOf(firstBlock: string): LogFormat | null {
  const fields = fieldsDirective.exec(firstBlock)?.[1]?.trim().split(/\s+/);
  if (fields === undefined) return null;
  const [date, time] = [fields.indexOf('date'), fields.indexOf('time')];
  const startDate = dateDirective.exec(firstBlock)?.[1] ?? '';
  return {
    name: 'w3c',
    keys: fields,
    level: ({ head }) => (head.startsWith('#') ? undefined : head.trim() === '' ? null : ''),
    parse({ first, rest }) {
      if (first.startsWith('#')) return null;
      const values = first.includes('\t') ? first.split('\t') : (first.match(/"(?:[^"]|"")*"|\S+/g) ?? []);
      const members = fields.flatMap((key, at) => {
        const value = values[at];
        return value === undefined || at === date || at === time ? [] : [[key, scalarOf(value)] as const];
      });
      return {
        env: '',
        time: `${values[date] ?? startDate} ${values[time] ?? ''}`.trim(),
        header: first,
        context: objectOf(members, new JsonText('{}')),
        stack: rest,
      };
    },
  };
}
