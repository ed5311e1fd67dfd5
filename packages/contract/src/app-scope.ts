/** Which apps an account sees: every one, or exactly these (an empty list: none). */
export type AppScope = 'all' | readonly number[];

/** Whether somebody with this scope sees no app. */
export function isEmptyScope(scope: AppScope): boolean {
  return scope !== 'all' && scope.length === 0;
}

/** Whether somebody with this scope sees all of these apps. */
export function coversApps(scope: AppScope, apps: AppScope): boolean {
  if (scope === 'all') return true;
  const scopeIds = new Set(scope);
  return apps !== 'all' && apps.every((id) => scopeIds.has(id));
}

/** Those of the apps that lie in a scope. */
export function withinScope(apps: readonly number[], scope: AppScope): readonly number[] {
  if (scope === 'all') return apps;
  const scopeIds = new Set(scope);
  return apps.filter((id) => scopeIds.has(id));
}

/** The apps that lie in both scopes. */
export function commonScope(one: AppScope, other: AppScope): AppScope {
  return one === 'all' ? other : withinScope(one, other);
}
