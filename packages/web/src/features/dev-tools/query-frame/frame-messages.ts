/** Milliseconds that an app's host has to answer. */
export const hostPatience = 30_000;

/** Characters of an answer that are read; the encoded form of the largest value has about 350,000. */
export const answerLimit = 1_000_000;

/** What the page asks of the frame: where it sends to, or to send a text there. */
export type FrameRequest = { readonly kind: 'describe' } | { readonly kind: 'send'; readonly text: string };

/** Where the frame sends to, and the console's own address, which hosts let read their answers (O31). */
export type FrameDescription = { readonly address: string; readonly consoleOrigin: string };

/** What became of a text that was sent. */
export type SendOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly type: string; readonly text: string }
  /** `unreachable`: no host, no connection, or a host that does not let the console read its answers; browsers do not tell which. */
  | { readonly kind: 'redirect' | 'unreachable' | 'timeout' | 'too-large' };
