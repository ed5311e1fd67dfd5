import { Box } from '@mantine/core';
import { ratioOf, type Report, type ReportQuery } from '@switchyard/contract/reports';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { MissingFigure } from '../../../shared/ui/figure.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { groupedNumber } from '../../../shared/ui/text-format.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { columnName, formOf, type ValueForm } from '@switchyard/contract/report-texts';
import { changeOf, exactSum, groupingNames, keyText, numberOf, rangeText, valueText } from '../report-words.ts';
import classes from './home-board.module.css';

export type TileProps = { report: Report; query: ReportQuery & { mode?: string | undefined } };

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconEqual } as const;

/** The total of a measure, and its change from the compared period. */
export function TileFigure({ report, query, column }: TileProps & { column: string }) {
  const { totals, compared_from: from, compared_to: to } = report;
  const form = formOf(column, query);
  const value = numberOf(totals.current[column]);
  const before = numberOf(totals.compared?.[column]);
  const change = changeOf(form, value, before);
  const Arrow = arrows[change?.direction ?? 'same'];
  return (
    <dl className={classes['figure']}>
      <dt className={classes['detail']}>
        <VisibleText text={columnName(column, report)} />
      </dt>
      <dd className={classes['number']}>{value === null ? <MissingFigure /> : valueText(form, value)}</dd>
      {change !== null && before !== null && from !== null && to !== null && (
        <dd className={classes['detail']}>
          <Arrow size={15} stroke={1.8} aria-hidden /> {change.text} from {valueText(form, before)} ({rangeText(from, to)})
        </dd>
      )}
    </dl>
  );
}

/** Columns of values that a tile has room for. */
const mostColumns = 3;

/** The first rows of a report, which scroll where the tile is too small for them. */
export function TileTable({ report, query, name }: TileProps & { name: string }) {
  const { group_by: groupings, groups, total_groups: all } = report;
  if (groups.length === 0) return <p className={classes['detail']}>No traffic in these days.</p>;
  const columns = report.columns.slice(0, mostColumns);
  const others = othersOf(report, columns, query);
  const sumRow = { span: groupings.length, columns, query };
  return (
    <>
      {/* A part that scrolls is reached by keyboard, too. */}
      <Box component="section" className={classes['rows']} aria-label={`Rows of ${withMarks(name)}`} tabIndex={0}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {groupings.map((grouping) => (
                <th key={grouping} scope="col">
                  {groupingNames[grouping]}
                </th>
              ))}
              {columns.map((column, at) => (
                <th key={column} scope="col" data-value={at}>
                  <VisibleText text={columnName(column, report)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ keys, current }) => (
              <tr key={JSON.stringify(keys)}>
                {keys.map((key, at) => {
                  const grouping = groupings[at];
                  const text = grouping === undefined ? key.value : keyText(grouping, key, report);
                  return (
                    <td key={grouping} className={classes['key']} title={withMarks(text)}>
                      <VisibleText text={text} />
                    </td>
                  );
                })}
                {columns.map((column, at) => (
                  <td key={column} data-value={at}>
                    {valueOrDash(formOf(column, query), numberOf(current[column]))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {others !== null && (
              <SumRow
                name={query.top === undefined ? `Others (${groupedNumber(all - groups.length)})` : 'Others'}
                values={others}
                {...sumRow}
              />
            )}
            <SumRow name="Total" values={columns.map((column) => numberOf(report.totals.current[column]))} {...sumRow} />
          </tfoot>
        </table>
      </Box>
      {all > groups.length && (
        <p className={classes['detail']}>
          First {groups.length} of {groupedNumber(all)}
        </p>
      )}
    </>
  );
}

function valueOrDash(form: ValueForm, value: number | null): string {
  return value === null ? '–' : valueText(form, value);
}

type SumProps = { name: string; values: readonly (number | null)[]; span: number; columns: readonly string[]; query: ReportQuery };

/** The others or the total, written like the rows. */
function SumRow({ name, values, span, columns, query }: SumProps) {
  return (
    <tr>
      <th scope="row" colSpan={span}>
        {name}
      </th>
      {columns.map((column, at) => (
        <td key={column} data-value={at}>
          {valueOrDash(formOf(column, query), values[at] ?? null)}
        </td>
      ))}
    </tr>
  );
}

/** What the totals have beyond the rows; null if all rows are there or may count twice, as those of buyers. Ratios cannot be subtracted. */
function othersOf({ group_by: groupings, groups, total_groups: all, totals }: Report, columns: readonly string[], query: ReportQuery) {
  if (all <= groups.length || groupings.includes('buyer')) return null;
  return columns.map((column) => {
    const total = numberOf(totals.current[column]);
    if (total === null || ratioOf(column, query) !== null) return null;
    return exactSum([total, ...groups.map(({ current }) => -(numberOf(current[column]) ?? 0))]);
  });
}
