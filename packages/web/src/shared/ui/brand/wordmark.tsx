import { Mark } from './mark.tsx';
import classes from './wordmark.module.css';

/** Mark and product name side by side. */
export function Wordmark({ productName, size = 24 }: { productName: string; size?: number }) {
  return (
    <span className={classes['wordmark']}>
      <Mark size={size} />
      <span className={classes['name']}>{productName}</span>
    </span>
  );
}
