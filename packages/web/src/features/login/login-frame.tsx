import type { ReactNode } from 'react';
import { useSettings } from '../../shared/settings.ts';
import { useDocumentTitle } from '../../shared/page/use-document-title.ts';
import { Wordmark } from '../../shared/ui/brand/wordmark.tsx';
import classes from './login-page.module.css';
import { Tracks } from './tracks.tsx';

/** Frame of the login pages: wordmark, one card and what stands below it; the document title is 'Login' (SHELL-007). */
export function LoginFrame({ children, foot }: { children: ReactNode; foot?: ReactNode }) {
  const { productName } = useSettings();
  useDocumentTitle('Login');
  return (
    <main className={classes['screen']}>
      <Tracks className={classes['tracks'] ?? ''} />
      <div className={classes['column']}>
        <div className={classes['brand']}>
          <Wordmark productName={productName} size={32} />
        </div>
        <div className={classes['card']}>{children}</div>
        {foot}
      </div>
    </main>
  );
}
