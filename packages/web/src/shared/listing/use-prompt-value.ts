import { useState } from 'react';

/**
 * A value that its control shows at once when the reader changes it. For controls among tools and further fields, which render after
 * the rest: until then, a controlled input would jump back. Every change must be one that its holder accepts.
 */
export function usePromptValue<T>(held: T, change: (next: T) => void): [T, (next: T) => void] {
  const [shown, setShown] = useState({ held, value: held });
  if (!Object.is(shown.held, held)) setShown({ held, value: held });
  const changeAtOnce = (next: T): void => {
    setShown({ held, value: next });
    change(next);
  };
  return [shown.value, changeAtOnce];
}
