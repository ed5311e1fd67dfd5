import type { BodyOf } from '@switchyard/contract/endpoint';
import {
  chooseDefaultView,
  createView,
  deleteView,
  updateView,
  viewMessages,
  type SavedView,
  type ViewList,
} from '@switchyard/contract/saved-views';
import { call, failingInPlace } from '../../api/call.ts';
import { CallError } from '../../api/call-error.ts';
import { queryClient } from '../../api/query-client.ts';

/** The cache key of the views of a list. */
export function viewsKey(list: ViewList): readonly [string, ViewList] {
  return ['views', list];
}

type CachedViews = { views: SavedView[] };

/** Shows the change at once and loads the views again, because another one may have lost its place as default. */
function remember(list: ViewList, change: (views: readonly SavedView[]) => SavedView[]): void {
  const queryKey = viewsKey(list);
  queryClient.setQueryData<CachedViews>(queryKey, (cachedViews) => cachedViews && { ...cachedViews, views: change(cachedViews.views) });
  void queryClient.invalidateQueries({ queryKey });
}

function put(savedView: SavedView): void {
  remember(savedView.list, (views) =>
    views.some(({ id }) => id === savedView.id)
      ? views.map((view) => (view.id === savedView.id ? savedView : view))
      : [savedView, ...views],
  );
}

/** Runs a write; after a failure the views are loaded again, because they may have changed meanwhile. */
async function write<Result>(list: ViewList, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: viewsKey(list) });
    throw error;
  }
}

/** Saves a new view. */
export async function saveNewView(body: BodyOf<typeof createView>): Promise<SavedView> {
  const { data } = await write(body.list, () => call(createView, { body, ...failingInPlace }));
  put(data);
  return data;
}

/** Changes a view. */
export async function saveView({ id, list }: SavedView, body: BodyOf<typeof updateView>): Promise<SavedView> {
  const { data } = await write(list, () => call(updateView, { params: { id }, body, ...failingInPlace }));
  put(data);
  return data;
}

/** Deletes a view; one that is deleted already counts as deleted. */
export async function dropView({ id, list }: SavedView): Promise<void> {
  try {
    await write(list, () => call(deleteView, { params: { id }, ...failingInPlace }));
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
  }
  remember(list, (views) => views.filter((view) => view.id !== id));
}

/** Makes a view the one that its list opens with; null for none. */
export async function saveDefaultView(list: ViewList, id: number | null): Promise<void> {
  await write(list, () => call(chooseDefaultView, { body: { list, id }, ...failingInPlace }));
  remember(list, (views) => views.map((view) => ({ ...view, is_default: view.id === id })));
}

/** Messages for a failed write. */
export function viewFailure(error: unknown): string {
  if (!(error instanceof CallError)) throw error;
  if (error.status === 404) return 'This view was deleted, or is no longer shared with you. Save it as a new view to keep it.';
  if (error.status === 403) return 'Only its owner can change this view.';
  const texts = Object.values(error.fields).flat();
  return texts.length === 0 ? error.message : texts.join(' ');
}

/** Messages that belong to the name and to the roles of a view; the others concern the view as a whole. */
export function viewFieldErrors(error: unknown): { name?: string; roles?: string; other?: string } {
  const { name, role_ids: roles, ...others } = error instanceof CallError ? error.fields : {};
  if (name === undefined && roles === undefined) return { other: viewFailure(error) };
  const rest = Object.values(others).flat();
  return {
    ...(name && { name: name.join(' ').replace(viewMessages.missingName, 'Enter a name.') }),
    ...(roles && { roles: roles.join(' ') }),
    ...(rest.length > 0 && { other: rest.join(' ') }),
  };
}
