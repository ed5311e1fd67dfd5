import { begunView, type BegunView } from '@switchyard/contract/view-as';
import { z } from 'zod';
import { localSettings, type LocalSettings } from '../local-settings.ts';
import { tabSettings, type TabSetting } from '../tab-settings.ts';
import { unsavedWork } from '../unsaved-work.ts';
import { isSafePath } from './safe-path.ts';

/** A view as a role or as an account: who looks, and the page that was left for it. */
const tabView = z.object({ ...begunView.shape, viewerId: z.int(), from: z.string().refine(isSafePath) });
export type TabView = z.output<typeof tabView>;

type Dependencies = {
  readonly stored: TabSetting;
  /** Holds the name of what was viewed after the view ended by itself. */
  readonly ended: TabSetting;
  readonly own: Pick<LocalSettings, 'token' | 'user'>;
  /** Loads a page anew, so that nothing that was loaded with other rights stays. */
  readonly openPage: (path: string) => void;
};

/**
 * The view of this tab. It begins and ends with a page load, is kept until the tab closes beside the reader's own session, and is over
 * when that is no longer a session of the same account.
 */
export function createViewAs({ stored, ended, own, openPage }: Dependencies) {
  let shown = parse(stored.get());
  if (shown === null) stored.remove();
  const isView = shown !== null;
  // Until the next page is there, further calls of this one fail. They must not end the own session.
  let isLeaving = false;

  function forget(): void {
    shown = null;
    stored.remove();
  }
  function get(): TabView | null {
    if (shown !== null && own.user.get()?.id !== shown.viewerId) forget();
    return shown;
  }
  function leave(): boolean {
    const view = get();
    if (view === null) return isLeaving;
    isLeaving = true;
    forget();
    openPage(view.from);
    return true;
  }
  return {
    get,
    /** Whether the page showed a view that another tab ended by signing out or in. */
    isOver: (): boolean => isView && !isLeaving && get() === null,
    /** Shows a begun view. Returns false if the browser stores nothing for a tab. */
    enter(view: BegunView, from: string): boolean {
      const viewerId = own.user.get()?.id;
      if (viewerId === undefined || !stored.set(JSON.stringify({ ...view, viewerId, from } satisfies TabView))) return false;
      openPage('/');
      return true;
    },
    /** Returns to the own session and to the page from which the view began. False if there is no view. */
    leave,
    /** Ends a view that is over, about which the next page tells. */
    end(): boolean {
      const view = get();
      if (view !== null) ended.set(view.subject.name);
      return leave();
    },
    /** The name of what was viewed, once, after the view ended by itself. */
    takeEnded(): string | null {
      const name = ended.get();
      ended.remove();
      return name;
    },
    /** Token and account of the tab: those of the view, or the own ones. Storing others ends the view. */
    session: {
      token: {
        get: () => get()?.token ?? own.token.get(),
        set(token) {
          forget();
          own.token.set(token);
        },
        remove() {
          forget();
          own.token.remove();
        },
      },
      user: {
        get: () => get()?.user ?? own.user.get(),
        set(user) {
          const view = get();
          if (view === null) {
            own.user.set(user);
            return;
          }
          shown = { ...view, user };
          stored.set(JSON.stringify(shown));
        },
        remove() {
          forget();
          own.user.remove();
        },
      },
    } satisfies Pick<LocalSettings, 'token' | 'user'>,
  };
}

function parse(text: string | null): TabView | null {
  if (text === null) return null;
  try {
    return tabView.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The view of this tab. */
export const viewAs: ReturnType<typeof createViewAs> = createViewAs({
  stored: tabSettings.viewAs,
  ended: tabSettings.endedView,
  own: localSettings,
  openPage(path) {
    // Nothing that was typed in a view can be saved, and who begins one was asked.
    unsavedWork.releaseAll();
    window.location.assign(path);
  },
});
