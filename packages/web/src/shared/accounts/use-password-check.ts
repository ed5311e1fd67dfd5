import { checkPassword } from '@switchyard/contract/own-sessions';
import { useRef, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { call, inBackground } from '../api/call.ts';

/**
 * Validates a new password on the server, because only the server has the list of common ones. Call `check` when the field
 * is left; `error` is the server's message for the current value. A failed check is ignored: saving applies the same rules.
 */
export function usePasswordCheck({ password, email }: { password: string; email: string }) {
  const [lastCheck, setLastCheck] = useState<{ password: string; error: string | null } | null>(null);
  const asking = useRef<AbortController | null>(null);

  async function check(): Promise<void> {
    if (password === '' || lastCheck?.password === password) return;
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    try {
      const { data } = await call(checkPassword, {
        body: { password, email },
        signal: controller.signal,
        ...inBackground,
      });
      if (!controller.signal.aborted) setLastCheck({ password, error: data.error });
    } catch (error) {
      if (!(error instanceof CallError) && !controller.signal.aborted) throw error;
    }
  }

  return { error: lastCheck?.password === password ? lastCheck.error : null, check };
}
