import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSettings } from '../../shared/settings.ts';
import { useDocumentTitle } from '../../shared/page/use-document-title.ts';
import { Wordmark } from '../../shared/ui/wordmark.tsx';
import classes from './login-page.module.css';

/** Frame of the login pages: wordmark, one card with a heading, and a line below it. Without a title the document's is 'Login'. */
export function LoginFrame({ children, foot, title }: { children: ReactNode; foot?: ReactNode; title?: string }) {
  const { productName } = useSettings();
  useDocumentTitle(title ?? 'Login');
  return (
    <main className={classes['screen']}>
      <Tracks className={classes['tracks'] ?? ''} />
      <div className={classes['column']}>
        <div className={classes['brand']}>
          <Wordmark productName={productName} size={32} />
        </div>
        <div className={classes['card']}>
          {title !== undefined && (
            <Title order={1} className={classes['heading'] ?? ''}>
              {title}
            </Title>
          )}
          {children}
        </div>
        {foot}
      </div>
    </main>
  );
}

/** The background of the login pages: faint converging tracks. */
function Tracks({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 1440 900" preserveAspectRatio="xMidYMid slice" fill="none" stroke="currentColor" aria-hidden>
      {[0, 1, 2, 3, 4, 5].map((lane) => (
        <g key={lane} strokeWidth="1.5">
          <path d={`M-20 ${640 + lane * 26} H 360 C 560 ${640 + lane * 26} 620 ${120 + lane * 44} 860 ${120 + lane * 44} H 1460`} />
          <path d={`M-20 ${640 + lane * 26} H 700 C 900 ${640 + lane * 26} 940 ${480 + lane * 60} 1140 ${480 + lane * 60} H 1460`} />
        </g>
      ))}
    </svg>
  );
}
