import { ownTypeName, type RequestType } from '@switchyard/contract/requests';
import type { CSSProperties } from 'react';
import type { PickOption } from '../shared/ui/pick-options.tsx';
import classes from './traffic.module.css';

/** The fixed colour of a request type, the same in labels, filters, histogram and panel. */
export function typeColour(type: RequestType): string {
  return `var(--sy-type-${type})`;
}

/** Name of a type as a filter. */
export function filteredTypeName(type: string): string {
  return type === 'error' ? 'with an error' : type;
}

/** A request's type, its word beside its colour. `isCounted`: it is shown for the count of all requests of this type. */
export function RequestTypeLabel({ type, isCounted = false }: { type: RequestType; isCounted?: boolean }) {
  const style: CSSProperties & Record<'--type', string> = { '--type': typeColour(type) };
  return (
    <span className={classes['type']} style={style}>
      {isCounted ? ownTypeName(type) : type}
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
