import { requestCounter } from '../shared/api/request-counter.ts';
import { useStore } from '../shared/external-store.ts';
import classes from './loading-bar.module.css';

/** The thin bar at the top while at least one counted call runs (SHELL-040). */
export function LoadingBar() {
  const isActive = useStore(requestCounter) > 0;
  return <div className={classes['bar']} data-active={isActive || undefined} data-testid="loading-bar" aria-hidden />;
}
