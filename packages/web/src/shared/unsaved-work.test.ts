import { expect, it } from 'vitest';
import { unsavedWork } from './unsaved-work.ts';

it('[ERR-001] is held until the last form has let go, each of which counts once', () => {
  const first = unsavedWork.hold();
  const second = unsavedWork.hold();
  first();
  first();
  expect(unsavedWork.isHeld()).toBe(true);
  second();
  expect(unsavedWork.isHeld()).toBe(false);
});
