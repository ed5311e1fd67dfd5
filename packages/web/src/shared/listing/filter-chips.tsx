import { IconX } from '@tabler/icons-react';
import type { FilterChip } from './filter.ts';
import classes from './filter-chips.module.css';
import { VisibleText } from '../ui/visible-text.tsx';
import { withMarks } from '../ui/hidden-characters.ts';

type Props = {
  chips: readonly FilterChip[];
  onRemove: (chip: FilterChip) => void;
  onClear: () => void;
};

/** The filters in effect, each with a button to remove it; nothing while there are none. */
export function FilterChips({ chips, onRemove, onClear }: Props) {
  if (chips.length === 0) return null;
  return (
    <ul className={classes['chips']} aria-label="Active filters">
      {chips.map((chip) => (
        <li key={chip.key} className={classes['chip']}>
          <span className={classes['name']}>{chip.name}</span>
          <span className={classes['value']} title={withMarks(chip.value)}>
            <VisibleText text={chip.value} />
          </span>
          <button
            type="button"
            className={classes['remove']}
            data-screen-only
            aria-label={`Remove filter ${withMarks(chip.value)}`}
            onClick={() => onRemove(chip)}
          >
            <IconX size={12} stroke={2.2} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li data-screen-only>
          <button type="button" className={classes['clear']} onClick={onClear}>
            Clear filters
          </button>
        </li>
      )}
    </ul>
  );
}
