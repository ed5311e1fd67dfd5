/**
 * Answers many callers with few looks at the database, one at a time: who asks while a look is under way shares the next
 * one, which begins after it was asked, so nothing learned is older than the question. `look` gets what all of them ask
 * and answers them together; when it fails, it fails for all of them, and the next ones ask anew.
 */
export function askTogether<Asked, Found>(look: (asked: readonly Asked[]) => Promise<Found>): (asked: Asked) => Promise<Found> {
  let waiting: Asked[] = [];
  let next: Promise<Found> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function lookAfter(earlier: Promise<unknown>): Promise<Found> {
    await earlier.catch(() => undefined);
    const asked = waiting;
    waiting = [];
    next = null;
    return look(asked);
  }
  return (asked) => {
    waiting.push(asked);
    if (next === null) {
      next = lookAfter(last);
      last = next;
    }
    return next;
  };
}
