import { notify } from '../ui/notifications/notification-center.ts';
import { createDownloadCenter, type DownloadCenter } from './download-center.ts';
import { doneText } from './download-text.ts';
import { chooseFileTarget } from './file-target.ts';

/** The downloads of this page; the layout shows their progress. */
export const downloads: DownloadCenter = createDownloadCenter({
  chooseTarget: chooseFileTarget,
  onDone: (download) => notify({ type: 'success', message: doneText(download), key: `download ${download.name}` }),
});
