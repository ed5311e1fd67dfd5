import { askConfirm } from '../shared/ui/confirm.tsx';
import { loadSettings } from '../shared/settings.ts';
import { tabSettings, type TabSetting } from '../shared/tab-settings.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';

type Dependencies = {
  /** Resolves when the server answers. */
  readonly reachServer: () => Promise<void>;
  readonly reloadedFor: TabSetting;
  readonly hasUnsavedWork: () => boolean;
  /** Asks the reader, and runs the action when he agrees. */
  readonly ask: (action: () => void) => void;
  readonly reload: () => void;
};

/** What became of a page whose code could not be loaded. */
export type Recovery = 'reloading' | 'asked' | 'given-up';

/**
 * Recovers from a file that a deploy has taken away (R22): loads the page anew once for each such file, after asking
 * when a form holds unsaved input. Gives up when that was done before, when the browser cannot remember that it was,
 * or when the server is not there, so that no reader is left in a loop or on an empty page.
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
  ask: (action) =>
    askConfirm({
      title: 'The console was updated',
      lines: ['This part of it can only be shown after loading the page anew.', 'What you have not saved here is lost. Load it now?'],
      action: async () => action(),
    }),
  reload: () => window.location.reload(),
});
