/** Milliseconds after which a request to an app's host times out. */
export const hostTimeout = 30_000;

/** Maximum characters of an answer; the encoded form of the largest value has about 350,000. */
export const answerLimit = 1_000_000;

/** A request of the page: describe the target, or send a text to it. */
export type FrameRequest = { readonly kind: 'describe' } | { readonly kind: 'send'; readonly text: string };

/** The address the frame sends to, and the console origin that hosts allow. */
export type FrameDescription = { readonly address: string; readonly consoleOrigin: string };

/** The result of sending a text. */
export type SendOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly type: string; readonly text: string }
  /** `unreachable`: no host, no connection, or a host that does not let the console read its answers; browsers do not say which. */
  | { readonly kind: 'redirect' | 'unreachable' | 'timeout' | 'too-large' };
