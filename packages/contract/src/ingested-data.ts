/** Fields of each kind of row whose JSON is read to the letter: data of the sender, and amounts with digits that JavaScript does not hold. */
export const ingestedData = {
  events: ['body_request', 'body_response', 'additional_data', 'error'],
  pushes: ['push_message'],
  conversions: ['payout'],
  streams: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type IngestedKind = keyof typeof ingestedData;
