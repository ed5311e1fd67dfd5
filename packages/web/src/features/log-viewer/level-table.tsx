import type { LogDayPage, LogFilter } from '@switchyard/contract/log-viewer';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';
import classes from './level-table.module.css';

type Statistics = LogDayPage['level_statistics'];
type Props = { statistics: Statistics; level: LogFilter; onChoose: (level: LogFilter) => void };

/** How many entries of each level the day has; a level filters the entries, unless it has none (LOG-015, LOG-016, LOG-031). */
export function LevelTable({ statistics, level, onChoose }: Props) {
  return (
    <table className={classes['table']} aria-label="Entries by level">
      <thead className={classes['head']}>
        <tr>
          <th scope="col">Level</th>
          <th scope="col">Entries</th>
        </tr>
      </thead>
      <tbody className={classes['body']}>
        {statistics.map((one) => (
          <LevelRow key={one.level} one={one} isChosen={one.level === level} onChoose={onChoose} />
        ))}
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
