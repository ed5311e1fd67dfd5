import { describe, expect, it } from 'vitest';
import { createNotificationCenter, notificationActions, notificationTypes, toastPositions } from './notification-center.ts';

const at = new Date('2026-11-20T12:00:00Z');

describe('notification center', () => {
  it('[WID-023, CONST-008, AMB-040] fills in type, action, time, timeout and place', () => {
    const center = createNotificationCenter(() => at);
    center.notify({ message: 'Saved' });
    expect(center.list()).toEqual([
      {
        id: 1,
        message: 'Saved',
        type: 'info',
        action: 'alert',
        timestamp: at.getTime(),
        timeout: 20_000,
        closesByItself: true,
        closeOnClick: false,
        hasCloseIcon: true,
        position: 'bottom-center',
        href: null,
        button: null,
        times: 1,
        key: null,
      },
    ]);
  });

  it('[WID-026] rejects a timeout that does not exceed 0', () => {
    const center = createNotificationCenter(() => at);
    for (const timeout of [0, -1, Number.NaN]) expect(() => center.notify({ message: 'x', timeout })).toThrow(RangeError);
    expect(center.list()).toEqual([]);
  });

  it('[WID-024, WID-025, WID-053] knows the specified types, actions and places', () => {
    expect(notificationTypes).toEqual(['info', 'primary', 'danger', 'warning', 'success']);
    expect(notificationActions).toEqual(['alert', 'notification', 'link']);
    expect(toastPositions).toEqual(['top-left', 'top-right', 'left-center', 'right-center', 'top-center', 'bottom-center']);
  });

  it('[WID-030] closes one and clears all', () => {
    const center = createNotificationCenter(() => at);
    const first = center.notify({ message: 'a' });
    center.notify({ message: 'b' });
    center.close(first);
    expect(center.list().map((entry) => entry.message)).toEqual(['b']);
    center.clear();
    expect(center.list()).toEqual([]);
  });

  it('[WID-023] raises a message again instead of showing it twice', () => {
    const center = createNotificationCenter(() => at);
    center.notify({ message: 'down', type: 'danger' });
    center.notify({ message: 'down', type: 'danger' });
    center.notify({ message: 'down', type: 'info' });
    expect(center.list().map((entry) => [entry.type, entry.times])).toEqual([
      ['danger', 2],
      ['info', 1],
    ]);
  });

  it('[WID-023] shows the newest result of an action in the place of the one before, and closes what no longer holds', () => {
    const center = createNotificationCenter(() => at);
    const failureId = center.notify({ message: 'The disk is full', type: 'danger', key: 'PUT /api/apps/7' });
    center.notify({ message: 'Other' });
    const savedId = center.notify({ message: 'App saved', type: 'success', key: 'PUT /api/apps/7' });
    expect(center.list().map(({ message }) => message)).toEqual(['App saved', 'Other']);
    expect(savedId, 'its time starts again').not.toBe(failureId);
    center.notify({ message: 'Other', key: 'PUT /api/apps/7' });
    expect(center.list().map(({ message, times }) => [message, times])).toEqual([['Other', 2]]);
    center.closeKey('PUT /api/apps/8');
    expect(center.list()).toHaveLength(1);
    center.closeKey('PUT /api/apps/7');
    expect(center.list()).toEqual([]);
  });
});
