import { loadSettings } from '../shared/settings.ts';
import { tabSettings, type TabSetting } from '../shared/tab-settings.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';

type Dependencies = {
  /** Resolves when the server answers. */
  readonly reachServer: () => Promise<void>;
  readonly reloadedFor: TabSetting;
  readonly hasUnsavedWork: () => boolean;
  /** Asks the user and runs the action on agreement. */
  readonly ask: (action: () => void) => void;
  readonly reload: () => void;
};

/** The result of the recovery. */
export type Recovery = 'reloading' | 'asked' | 'given-up';

/**
 * Recovers from a file that a deployment removed: reloads the page once per file, after asking when a form holds
 * unsaved input. Gives up when the page was already reloaded for the file, when the browser cannot store that, or when
 * the server is unavailable. So there is no reload loop and no empty page.
 */
export function createStaleChunkRecovery({ reachServer, reloadedFor, hasUnsavedWork, ask, reload }: Dependencies) {
  return async (missing: string): Promise<Recovery> => {
    if (reloadedFor.get() === missing) return 'given-up';
    try {
      await reachServer();
    } catch {
      return 'given-up';
    }
    if (hasUnsavedWork()) {
      ask(() => {
        reloadedFor.set(missing);
        reload();
      });
      return 'asked';
    }
    if (!reloadedFor.set(missing)) return 'given-up';
    reload();
    return 'reloading';
  };
}

/** The recovery of this page. */
export const recoverFromStaleChunk: ReturnType<typeof createStaleChunkRecovery> = createStaleChunkRecovery({
  reachServer: loadSettings,
  reloadedFor: tabSettings.staleFile,
  hasUnsavedWork: unsavedWork.isHeld,
  // Part of the layout, which is loaded wherever there is unsaved work; the sign-in page does not need it.
  ask: (action) =>
    void import('../shared/ui/confirm.tsx').then(({ askConfirm }) =>
      askConfirm({
        title: 'The console was updated',
        lines: ['Reload the page to open this part of the console.', 'Unsaved changes on this page will be lost. Reload now?'],
        isLocal: true,
        action: async () => action(),
      }),
    ),
  reload: () => window.location.reload(),
});
