/** Up to this many milliseconds the two clocks count as the same: a quarter of an hour matters to no session. */
const tolerance = 900_000;

export type CorrectedClock = {
  /** The present time as the server sees it, as far as it is known. */
  readonly now: () => Date;
  /** Takes the `Date` header of an answer that has just arrived; anything else is ignored. */
  readonly observe: (header: string | null) => void;
};

/**
 * A clock that follows the server's, so that a device whose clock is a day off neither counts a live session as over
 * nor an ended one as live (R20). Until an answer was seen it is the device's own.
 */
export function createCorrectedClock(deviceNow: () => Date): CorrectedClock {
  let ahead = 0;
  return {
    now: () => new Date(deviceNow().getTime() + ahead),
    observe: (header) => {
      const difference = Date.parse(header ?? '') - deviceNow().getTime();
      if (!Number.isNaN(difference)) ahead = Math.abs(difference) <= tolerance ? 0 : difference;
    },
  };
}

export const correctedClock: CorrectedClock = createCorrectedClock(() => new Date());
