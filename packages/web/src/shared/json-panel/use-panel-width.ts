import { useState } from 'react';
import { z } from 'zod';
import { localSettings } from '../local-settings.ts';
import { clampPanelWidth, panelWidths } from '../ui/side-panel.tsx';

const storedWidth = localSettings.json('panel_width', z.number());

/** The width of side panels in pixels, the same for all and stored on this device. */
export function usePanelWidth(): [width: number, resize: (width: number) => void] {
  const [width, setWidth] = useState(() => clampPanelWidth(storedWidth.get() ?? panelWidths.initial));
  const resize = (next: number): void => {
    setWidth(next);
    storedWidth.set(next);
  };
  return [width, resize];
}
