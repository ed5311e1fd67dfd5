import { LoadingOverlay, Loader, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { AppLink, useRouteTitle } from '../navigation.tsx';
import classes from './page.module.css';
import { VisibleText } from '../ui/visible-text.tsx';
import { useDocumentTitle } from './use-document-title.ts';

/** A step below the root page; a step with an address is a link. */
type Crumb = { readonly label: string; readonly href?: string };

type PageProps = {
  /** Title of the root page; the route table's unless given. */
  title?: string;
  /** Title of the browser's tab, if it is not that of the root page. */
  documentTitle?: string;
  /** Where the root page is, when crumbs follow it. */
  titleHref?: string;
  crumbs?: readonly Crumb[];
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** Covers the page with 'Loading...', such as while it is loaded. */
  isBlocked?: boolean;
  children: ReactNode;
};

const noCrumbs: readonly Crumb[] = [];

/** Frame of every page: breadcrumb trail whose last step is the heading, actions, content, document title. */
export function Page({ title, documentTitle, titleHref, crumbs = noCrumbs, actions, isBlocked = false, children }: PageProps) {
  const routeTitle = useRouteTitle();
  const root: Crumb = { label: title ?? routeTitle, ...(titleHref === undefined ? {} : { href: titleHref }) };
  const steps = [root, ...crumbs];
  useDocumentTitle(documentTitle ?? root.label);
  return (
    <div className={classes['page']} aria-busy={isBlocked}>
      <div className={classes['head']}>
        <nav aria-label="Breadcrumb">
          <ol className={classes['trail']}>
            {steps.map((step, index) => (
              <li key={`${step.label} ${step.href ?? ''}`} className={classes['step']}>
                <Step step={step} isLast={index === steps.length - 1} />
              </li>
            ))}
          </ol>
        </nav>
        {actions !== undefined && (
          <div className="wrap" data-screen-only>
            {actions}
          </div>
        )}
      </div>
      {children}
      <LoadingOverlay visible={isBlocked} loaderProps={{ children: <BlockedMark /> }} />
    </div>
  );
}

function Step({ step, isLast }: { step: Crumb; isLast: boolean }) {
  if (isLast) {
    return (
      <Title order={1} className={classes['title'] ?? ''} aria-current="page">
        <VisibleText text={step.label} />
      </Title>
    );
  }
  if (step.href === undefined)
    return (
      <span className={classes['link']}>
        <VisibleText text={step.label} />
      </span>
    );
  return (
    <AppLink href={step.href} className={classes['link'] ?? ''}>
      <VisibleText text={step.label} />
    </AppLink>
  );
}

function BlockedMark() {
  return (
    <output className={classes['blocked']}>
      <Loader size="sm" /> Loading...
    </output>
  );
}
