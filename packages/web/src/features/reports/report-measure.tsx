import type { Report } from '@switchyard/contract/reports';
import { columnName } from '@switchyard/contract/report-texts';
import { useParameter } from '../../shared/navigation.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import type { FileSubject } from '../../traffic/download-button.tsx';

/** The name of files of a report. */
export const reportFile: FileSubject = { list: 'report' };

/** Chooses the column of the chart, and of the cells of a pivot. */
export function MeasurePick({ label, report, sortedBy }: { label: string; report: Report; sortedBy: string }) {
  const [chartParameter, choose] = useParameter('chart');
  return (
    <Dropdown
      label={label}
      width={208}
      options={report.columns.map((name) => ({ value: name, name: withMarks(columnName(name, report)) }))}
      value={chartColumn(report, [chartParameter, sortedBy])}
      onChange={(pickedColumn) => choose(pickedColumn ?? null)}
    />
  );
}

/** The first of the wanted columns that there is, else the first with values. */
export function chartColumn({ columns, totals }: Report, wantedNames: readonly (string | null)[]): string {
  const wantedColumn = wantedNames.find((name) => name !== null && columns.includes(name));
  return wantedColumn ?? columns.find((name) => (totals.current[name] ?? null) !== null) ?? columns[0] ?? '';
}
