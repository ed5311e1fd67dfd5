/** How often each call is made by each caller, and where the generator of requests starts; set by `npm run conformance`. */
export const conformance = {
  rounds: Number(process.env['CONFORMANCE_ROUNDS'] ?? 5),
  seed: Number(process.env['CONFORMANCE_SEED'] ?? 20_261_121),
} as const;
