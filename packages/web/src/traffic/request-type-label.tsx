import type { RequestType } from '@switchyard/contract/requests';
import type { CSSProperties } from 'react';
import type { PickOption } from '../shared/ui/pick-options.tsx';
import classes from './traffic.module.css';

/** The fixed colour of a request type, the same in labels, filters, histogram and panel. */
export function typeColour(type: RequestType): string {
  return `var(--sy-type-${type})`;
}

/** A request's type, its word beside its colour. */
export function RequestTypeLabel({ type }: { type: RequestType }) {
  const style: CSSProperties & Record<'--type', string> = { '--type': typeColour(type) };
  return (
    <span className={classes['type']} style={style}>
      {type}
    </span>
  );
}

/** Request types to pick from, each with its colour. */
export function typeOptions<Type extends RequestType>(types: readonly Type[]): PickOption<Type>[] {
  return types.map((type) => ({
    value: type,
    name: type,
    icon: <span className={classes['swatch']} style={{ background: typeColour(type) }} aria-hidden />,
  }));
}
