import { unsavedWork } from './unsaved-work.ts';

/** Loads a page of the console anew, so that nothing of the current one stays in memory. */
export const pageLoad = {
  /** Whether the next page has been requested. */
  isPending: false,
  /** Opens the page in place of the current one, without asking about unsaved input; by default the current address. */
  replace(path: string = window.location.pathname + window.location.search): void {
    pageLoad.isPending = true;
    unsavedWork.releaseAll();
    window.location.replace(path);
  },
};
