/**
 * A port of this machine at which nobody listens: assigned to no service, and never given to another test that asks for a free one,
 * as may happen to a port that was just released.
 */
export const emptyPort = 4;
