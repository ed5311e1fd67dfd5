import { useEffect, useState } from 'react';

/** A hidden page keeps its stream so long, in milliseconds: who only looks something up elsewhere misses nothing. */
const patience = 60_000;

/** Whether the page has been hidden for long; false again as soon as it shows. */
export function useAsleep(): boolean {
  const [isAsleep, setAsleep] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(() => setAsleep(true), patience);
      else setAsleep(false);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, []);
  return isAsleep;
}
