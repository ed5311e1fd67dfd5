import { groupedNumber } from '../traffic/counter-text.ts';
import { notify } from '../ui/notifications/notification-center.ts';
import { createDownloadCenter, type DownloadCenter } from './download-center.ts';
import { chooseFileTarget } from './file-target.ts';

/** The downloads of this page; the layout shows how far they are. */
export const downloads: DownloadCenter = createDownloadCenter({
  chooseTarget: chooseFileTarget,
  onDone: ({ name, rows }) =>
    notify({ type: 'success', message: `${name} is saved: ${rows === 1 ? '1 row' : `${groupedNumber(rows)} rows`}` }),
});
