import type { Projection } from './schema.ts';

/** The parameters of a statement being built: `add` returns the placeholder of a value of an engine's type. */
export type Parameters = { readonly values: Record<string, unknown>; add(value: unknown, type: string): string };

/** A statement, and the values of its placeholders by name. */
export type Statement = { text: string; parameters: Parameters };

/** An empty list of parameters. */
export function newParameters(): Parameters {
  const values: Record<string, unknown> = {};
  return {
    values,
    add(value, type) {
      const name = `p${Object.keys(values).length}`;
      values[name] = value;
      return `{${name}:${type}}`;
    },
  };
}

/**
 * The end of a selection that is to be answered by a projection, or by none. Every selection says so: choosing among all of them
 * takes the engine longer than most answers.
 */
export function using(projection: Projection | null): string {
  return projection === null
    ? 'settings optimize_use_projections = 0'
    : `settings optimize_use_projections = 1, preferred_optimize_projection_name = '${projection}'`;
}
