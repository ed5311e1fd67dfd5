import './settle-renders.ts';
import '../zod-setup.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../shared/ui/theme/mantine.css';
import '../shared/ui/theme/palette.css';
import '../shared/ui/theme/global.css';
import { afterEach, expect, vi } from 'vitest';
import { resetMedia } from './media.ts';
import { takeContractProblems } from './stub-api.ts';

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await resetMedia();
  // The pages of all files share it.
  localStorage.clear();
  expect(takeContractProblems(), 'Answers that the API could not give').toEqual([]);
});
