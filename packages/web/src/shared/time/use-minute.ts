import { useEffect, useState } from 'react';

/** The present time, renewed every minute: close enough for dates that run out, and steady between renders. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
