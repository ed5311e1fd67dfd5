import { defaultOffset, getServerTime, type ServerTime } from '@switchyard/contract/server-time';
import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { createStore, useStore } from '../external-store.ts';
import { localSettings } from '../local-settings.ts';
import { displayDate } from './display-date.ts';

const offsetStore = createStore(localSettings.gmt.get() ?? defaultOffset);

/** Loads the server's time and stores its offset; does not show the loading bar. */
export async function loadServerTime(): Promise<ServerTime> {
  const { data } = await call(getServerTime, { isSilent: true });
  localSettings.gmt.set(data.GMT);
  offsetStore.set(data.GMT);
  return data;
}

/** The server's offset `+HH:MM`, as last loaded. */
export const serverOffset = offsetStore.get;

/** The server's offset, also once another one is loaded. */
export function useServerOffset(): string {
  return useStore(offsetStore);
}

/** Shows wire dates in the server's offset; see `displayDate`. */
export function useDisplayDate(): (text: string | null | undefined) => string {
  const offset = useServerOffset();
  return useCallback((text) => displayDate(text, offset), [offset]);
}
