import classes from './activity.module.css';
import { actionWord } from './audit-words.ts';

/** What was done, coloured by what it did. */
export function ActionLabel({ action }: { action: string }) {
  const { name, tone } = actionWord(action);
  return (
    <span className={classes['action']} data-tone={tone}>
      {name}
    </span>
  );
}
