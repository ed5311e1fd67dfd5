import type { AsnRow } from '@switchyard/contract/asns';
import { lazy, Suspense, useState } from 'react';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { plainClasses } from '../../shared/ui/plain-buttons.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './asn-traffic.module.css';

const AsnBanDialog = lazy(() => import('../../traffic/asn-ban-dialog.tsx'));

/** Why a system is banned; a press opens the dialog that changes it. */
export function BanReason({ row, reason }: { row: AsnRow; reason: string }) {
  const [isOpen, setOpen] = useState(false);
  const tabIndex = useGridTabIndex();
  if (!row.is_ban_create && !row.is_ban_receive) return '-';
  return (
    <>
      <button
        type="button"
        className={`${plainClasses.button.root} ${classes['reason'] ?? ''}`}
        tabIndex={tabIndex}
        title={withMarks(reason)}
        aria-label={reason === '' ? `Add reason of AS${row.code}` : `${withMarks(reason)}, reason of AS${row.code}`}
        onClick={() => setOpen(true)}
      >
        {reason === '' ? 'Add reason' : <VisibleText text={reason} />}
      </button>
      {isOpen && (
        <Suspense>
          <AsnBanDialog code={row.code} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
