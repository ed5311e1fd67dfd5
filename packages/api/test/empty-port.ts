/**
 * A port of this machine at which nobody listens: assigned to no service, and never given to another test that asks for a
 * free one, as a port may be that was just given back.
 */
export const emptyPort = 4;
