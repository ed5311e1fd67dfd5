import { productVersion } from '@switchyard/contract/limits';
import { getSettings, type Settings } from '@switchyard/contract/settings';
import { call } from './api/call.ts';
import { createStore, useStore } from './external-store.ts';

/** Defaults until the server has answered. */
const initial: Settings = {
  appTitle: 'Switchyard',
  productName: 'Switchyard',
  version: productVersion,
  loginMethods: 'email',
  hideDocs: false,
  hideOnlyCf: false,
  buyerPanelUrl: null,
};

const settingsStore = createStore<Settings>(initial);

/** Reads the settings of this deployment; rejects with a CallError when the server cannot be reached, quietly if asked to. */
export async function loadSettings({ isQuiet = false } = {}): Promise<void> {
  const { data } = await call(getSettings, { isSilent: isQuiet, showsFailureItself: () => isQuiet });
  settingsStore.set(data);
}

/** The settings of this deployment at this moment. */
export const currentSettings = settingsStore.get;

/** The settings of this deployment. */
export function useSettings(): Settings {
  return useStore(settingsStore);
}
