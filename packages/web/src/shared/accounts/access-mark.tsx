import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import classes from './access-mark.module.css';

/** A green check where an account has access, else a red cross. */
export function AccessMark({ hasAccess, text }: { hasAccess: boolean; text: string }) {
  const Picture = hasAccess ? IconCircleCheck : IconCircleX;
  return (
    <span className={classes['mark']} data-access={hasAccess} title={text}>
      <Picture size={18} stroke={1.8} aria-hidden />
      <span className={classes['text']}>{text}</span>
    </span>
  );
}
