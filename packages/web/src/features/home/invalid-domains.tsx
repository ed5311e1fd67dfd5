import { Title } from '@mantine/core';
import { listInvalidDomains, type InvalidDomain } from '@switchyard/contract/app-domains';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './attention.module.css';

/** Apps whose domain was stored before domains had to be host names; nothing if there are none. */
export function InvalidDomains() {
  const { data } = useQuery({
    queryKey: ['invalid-domains'],
    queryFn: ({ signal }) => call(listInvalidDomains, { signal, ...inBackground }),
  });
  const domains = data?.data ?? [];
  if (domains.length === 0) return null;
  return (
    <section aria-labelledby="home-domains" className={classes['part']}>
      <Title order={2} id="home-domains" className={classes['heading'] ?? ''}>
        Domains to correct
      </Title>
      <div className={classes['card']}>
        <ul className={classes['rows']}>
          {domains.map((app) => (
            <li key={app.id} className={classes['row']}>
              <span className={classes['name']}>
                <AppLink href={paths.appEdit(app.id, 'General')} className={classes['link'] ?? ''}>
                  <VisibleText text={app.name} />
                </AppLink>
              </span>
              <span className={classes['detail']}>
                <VisibleText text={`${app.domain} ${reasonOf(app)}`} />
              </span>
              {app.is_archived && <span className={classes['state']}>archived</span>}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function reasonOf({ same_as: other }: InvalidDomain): string {
  return other === null
    ? 'is not a host name, so it cannot be reached.'
    : `is also the domain of ${other.name ?? 'an app that you do not see'}.`;
}
