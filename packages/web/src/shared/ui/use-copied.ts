import { useEffect, useRef, useState } from 'react';

export type CopiedState = 'idle' | 'copied' | 'failed';

/**
 * Copies texts to the clipboard and tells for `shownFor` milliseconds how it went; a copy within that time begins
 * it anew. A browser that forbids the clipboard gives `failed`.
 */
export function useCopied(shownFor: number): { state: CopiedState; copy: (text: string) => Promise<void> } {
  const [state, setState] = useState<CopiedState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(text: string): Promise<void> {
    const outcome = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setState(outcome);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), shownFor);
  }
  return { state, copy };
}
