/**
 * How long a test waits for what must come: it costs nothing where it comes at once, outlasts a machine busy with other
 * tests, and what never comes still fails before the test's own end. Not a figure that is asked of the product.
 */
export const soon = { timeout: 30_000, interval: 20 } as const;
