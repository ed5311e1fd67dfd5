import { expect, it } from 'vitest';
import { fileNameOf } from './file-names.ts';

it('[LIST-008] files are named after what they have and the days they cover', () => {
  const name = (parts: string[], period = {}) => fileNameOf(parts, { period, fallback: 'report', extension: 'csv' });
  expect(name(['Goal Rush', 'pushes'], { from: '2026-11-22', to: '2026-11-28' })).toBe('goal-rush-pushes-2026-11-22-2026-11-28.csv');
  expect(name(['Café “Zoë” / ..\\x\r\n'], { from: '2026-11-22 10:00:00', to: '2026-11-22' })).toBe('cafe-zoe-x-2026-11-22.csv');
  expect([name(['a'], { from: '2026-11-22' }), name(['a'], { to: '2026-11-22' })]).toEqual([
    'a-from-2026-11-22.csv',
    'a-until-2026-11-22.csv',
  ]);
  expect([name(['Отчёт']), name([]), name(['a '.repeat(80)]).length]).toEqual(['report.csv', 'report.csv', 83]);
});
