/** Milliseconds of difference that are ignored: 15 minutes make no difference to a session. */
const tolerance = 900_000;

export type CorrectedClock = {
  /** The device's current time, or the server's if they differ by more than is ignored. */
  readonly now: () => Date;
  /** The server's current time, as far as it is known: for what is sent as a time from now on. */
  readonly serverNow: () => Date;
  /** Takes the `Date` header of a response that has just arrived; an unreadable one is ignored. */
  readonly observe: (header: string | null) => void;
};

/**
 * A clock that follows the server's, so that a wrong clock on the device neither ends a valid session nor keeps an expired
 * one. Until the first response it is the device's own.
 */
export function createCorrectedClock(deviceNow: () => Date): CorrectedClock {
  let ahead = 0;
  const nowWith = (difference: number): Date => new Date(deviceNow().getTime() + difference);
  return {
    now: () => nowWith(Math.abs(ahead) <= tolerance ? 0 : ahead),
    serverNow: () => nowWith(ahead),
    observe: (header) => {
      const difference = Date.parse(header ?? '') - deviceNow().getTime();
      if (!Number.isNaN(difference)) ahead = difference;
    },
  };
}

export const correctedClock: CorrectedClock = createCorrectedClock(() => new Date());
