import { z } from 'zod';

/** What the API process tells the simulator's process once it runs. */
export const simulatorOrder = z.object({ url: z.string(), dataDir: z.string() });
export type SimulatorOrder = z.output<typeof simulatorOrder>;

/** What the simulator's process tells the API process: lines for its log, and which share of the past was handed in. */
export const simulatorWord = z.union([z.object({ say: z.string() }), z.object({ past: z.number().min(0).max(1) })]);
export type SimulatorWord = z.output<typeof simulatorWord>;

/** Exit code when the API refused the simulator for good; starting it again would not help. */
export const refusedExit = 3;
