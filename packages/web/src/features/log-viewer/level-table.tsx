import type { LogDayPage, LogFilter } from '@switchyard/contract/log-viewer';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import classes from './level-table.module.css';

type Statistics = LogDayPage['level_statistics'];
type Props = { day: Pick<LogDayPage, 'level_statistics' | 'matching'>; level: LogFilter; onChoose: (level: LogFilter) => void };

/**
 * The number of entries of each level or, with a search, the number of matches. A level with entries filters the list.
 * Entries without a level are counted but have no filter.
 */
export function LevelTable({ day: { level_statistics: whole, matching }, level, onChoose }: Props) {
  const statistics = whole.map((one) => ({ ...one, count: matching?.[one.level] ?? one.count }));
  const withoutLevel = statistics.reduce((rest, { level: of, count }) => (of === 'all' ? rest + count : rest - count), 0);
  return (
    <table className={classes['table']} aria-label="Entries by level">
      <thead className={classes['head']}>
        <tr>
          <th scope="col">Level</th>
          <th scope="col">{matching === undefined ? 'Entries' : 'Matching'}</th>
        </tr>
      </thead>
      <tbody className={classes['body']}>
        {statistics.map((one) => (
          <LevelRow key={one.level} one={one} isChosen={one.level === level} onChoose={onChoose} />
        ))}
        {withoutLevel > 0 && (
          <tr className={classes['row']} data-plain>
            <th scope="row" className={classes['level']}>
              <span className={classes['label']}>No level</span>
            </th>
            <td className={classes['count']}>{groupedNumber(withoutLevel)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

type RowProps = { one: Statistics[number]; isChosen: boolean; onChoose: Props['onChoose'] };

function LevelRow({ one: { level, label, count }, isChosen, onChoose }: RowProps) {
  const name = (
    <>
      {level !== 'all' && <LogLevelIcon level={level} size="s" isDecorative />}
      <span className={classes['name']}>{label}</span>
    </>
  );
  return (
    <tr className={classes['row']} data-chosen={isChosen || undefined} data-empty={count === 0 || undefined}>
      <th scope="row" className={classes['level']}>
        {count === 0 ? (
          <span className={classes['label']}>{name}</span>
        ) : (
          <button type="button" className={classes['label']} aria-pressed={isChosen} onClick={() => onChoose(level)}>
            {name}
          </button>
        )}
      </th>
      <td className={classes['count']}>{groupedNumber(count)}</td>
    </tr>
  );
}
