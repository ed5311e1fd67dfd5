/** Fields of each kind of row that hold JSON of the sender, which is kept to the letter. */
export const ingestedData = {
  events: ['body_request', 'body_response', 'additional_data', 'error'],
  pushes: ['push_message'],
  conversions: [],
  streams: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type IngestedKind = keyof typeof ingestedData;
