/** The prefix of every name in session storage. */
const prefix = 'switchyard_';

type TabPart = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** One text kept until the tab closes, across page loads. */
export type TabSetting = {
  readonly get: () => string | null;
  /** Stores the text. Returns false if the browser stores nothing. */
  readonly set: (value: string) => boolean;
  readonly remove: () => void;
};

/** Creates tab settings over a storage. `open` may throw in browsers that forbid storage. */
export function createTabSettings(open: () => TabPart) {
  function tabSetting(name: string): TabSetting {
    const key = prefix + name;
    return {
      get: () => {
        try {
          return open().getItem(key);
        } catch {
          return null;
        }
      },
      set: (value) => {
        try {
          open().setItem(key, value);
          return true;
        } catch {
          return false;
        }
      },
      remove: () => {
        try {
          open().removeItem(key);
        } catch {
          // Nothing was kept there.
        }
      },
    };
  }

  return {
    /** State of the Google sign-in that this tab began. */
    googleState: tabSetting('google_state'),
    /** The view as a role or an account that this tab shows. */
    viewAs: tabSetting('view_as'),
    /** Page of the tab in a view that ended by itself. */
    endedView: tabSetting('ended_view'),
    /** The missing file of a former release for which the page was reloaded. */
    staleFile: tabSetting('stale_file'),
  };
}

export const tabSettings: ReturnType<typeof createTabSettings> = createTabSettings(() => sessionStorage);
