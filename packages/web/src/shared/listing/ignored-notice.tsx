import { useOpenPath, usePagePath, useQueryText } from '../navigation.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { ListState } from './use-list.ts';
import { Notice, shorten } from './views/view-notice.tsx';

/** Names the parameters of the address that have no effect, so that nobody takes what is shown for what was asked. */
export function IgnoredNotice({ unknown, unreadable }: NonNullable<ListState<unknown, unknown>['ignored']>) {
  const search = useQueryText();
  const path = usePagePath();
  const openPath = useOpenPath();
  const names = [...unknown, ...unreadable];
  if (names.length === 0) return null;
  const isKept = ([name]: [string, string]): boolean => !names.includes(name.replace(/\[\]$/, '').slice(0, 64));
  const remove = (): void => {
    const kept = new URLSearchParams([...new URLSearchParams(search)].filter(isKept)).toString();
    openPath(kept === '' ? path : `${path}?${kept}`, { replace: true });
  };
  return (
    <Notice title="Parts of the address were ignored" action="Remove from the address" onAction={remove}>
      {unknown.length > 0 && (
        <>
          This page does not know <VisibleText text={shorten(unknown)} />.{' '}
        </>
      )}
      {unreadable.length > 0 && (
        <>
          The value of <VisibleText text={shorten(unreadable)} /> cannot be read.
        </>
      )}
    </Notice>
  );
}
