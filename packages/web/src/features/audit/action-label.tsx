import classes from './activity.module.css';
import { actionWord } from './audit-words.ts';

/** Name of an action in the colour of its effect. */
export function ActionLabel({ action }: { action: string }) {
  const { name, tone } = actionWord(action);
  return (
    <span className={classes['action']} data-tone={tone}>
      {name}
    </span>
  );
}
