import type { ReactNode } from 'react';

/** A name and its value within a `dl`, which styles both. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
