import type { FullApp } from '@switchyard/contract/app-form';
import { holdsAny, type Permission } from '@switchyard/contract/permissions';
import type { ComponentType } from 'react';
import type { AppTab } from '../../../shared/paths.ts';

/** The tabs of an app in their order and what each asks for; General asks for nothing (CONF-007 to CONF-011). */
const tabPermissions = [
  { name: 'General', anyOf: [] },
  { name: 'Event', anyOf: ['manager_app_requests'] },
  { name: 'Push', anyOf: ['manager_app_pushes'] },
  { name: 'Conversion', anyOf: ['manager_app_conversions'] },
] as const satisfies readonly { name: AppTab; anyOf: readonly Permission[] }[];

/** What a tab other than General shows; it may be loaded when it is opened. */
export type AppTabContent = ComponentType<{ app: FullApp }>;

/** The content of each tab that exists besides General; other features hand theirs in. */
export type AppTabContents = Partial<Record<Exclude<AppTab, 'General'>, AppTabContent>>;

/** The tabs that an account sees: those it may open, of those that there are. */
export function openTabs(held: readonly string[], contents: AppTabContents): readonly AppTab[] {
  return tabPermissions
    .filter(({ name, anyOf }) => holdsAny(held, anyOf) && (name === 'General' || contents[name] !== undefined))
    .map(({ name }) => name);
}
