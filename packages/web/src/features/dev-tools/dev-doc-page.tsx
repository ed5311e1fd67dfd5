import { Page } from '../../shared/page/page.tsx';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import classes from './dev-doc.module.css';
import { MobileDocs } from './mobile-docs.tsx';
import { RequestTools } from './request-tools.tsx';

/** What developers of apps need: the encoder, a query at an app's domain, and their guide, each for its permission (DEV-001, DEV-011, DEV-012). */
export function DevDocPage() {
  const mayEncode = useHoldsAny('manager_dev_request_encryption');
  const mayRead = useHoldsAny('manager_dev_docs');
  return (
    <Page>
      <div className={classes['blocks']}>
        {mayEncode && <RequestTools />}
        {mayRead && <MobileDocs />}
      </div>
    </Page>
  );
}
