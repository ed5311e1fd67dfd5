import { useMediaQuery } from '@mantine/hooks';
import { z } from 'zod';
import { createStore, useStore } from '../external-store.ts';
import { localSettings } from '../local-settings.ts';

const setting = localSettings.json('chart_patterns', z.boolean());
const chosenStore = createStore(setting.get() ?? false);

/** Whether series have patterns and dashes beside their colours: by choice, remembered on this device, and in forced colours. */
export function usePatterns(): { isShown: boolean; isForced: boolean; set: (isShown: boolean) => void } {
  const isForced = useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false });
  const isChosen = useStore(chosenStore);
  return {
    isShown: isForced || isChosen,
    isForced,
    set: (isShown) => {
      setting.set(isShown);
      chosenStore.set(isShown);
    },
  };
}
