import type { InvalidDomain } from '@switchyard/contract/app-domains';
import { hostNameOf } from '@switchyard/contract/host-name';
import { sql, type Kysely } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';

type App = { id: number; name: string; domain: string; is_archived: boolean };
type Holder = Pick<App, 'id' | 'name' | 'domain'> & { is_visible: boolean };

/** Finds all domains that cannot be right, and few of the others, which `hostNameOf` sorts out. */
const mayBeInvalid = sql`(
  domain !~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.])+[a-z][a-z0-9-]{0,61}[a-z0-9]$' or domain like '%xn--%' or length(domain) > 253
)`;

/** Domains in the scope that were stored before domains had to be host names, and are none or are those of another app in another form; by app. */
export async function listInvalidDomains(db: Kysely<Tables>, scope: AppScope): Promise<InvalidDomain[]> {
  const { rows: apps } = await sql<App>`
    select id, name, domain, deleted_at is not null as is_archived from apps where ${mayBeInvalid} and ${isInScope('id', scope)} order by id
  `.execute(db);
  const invalidApps = apps.filter(({ domain }) => hostNameOf(domain) !== domain);
  const hosts = invalidApps.map(({ domain }) => hostNameOf(domain)).filter((host) => host !== null);
  const { rows: holders } = await sql<Holder>`
    select id, name, domain, ${isInScope('id', scope)} as is_visible from apps where lower(domain) = any(${hosts}::text[])
  `.execute(db);
  const candidates = [...holders, ...invalidApps.map((app) => ({ ...app, is_visible: true }))];
  return invalidApps.map(({ id, name, domain, is_archived: isArchived }) => {
    const host = hostNameOf(domain);
    const other = host === null ? undefined : candidates.find((app) => app.id !== id && hostNameOf(app.domain) === host);
    return { id, name, domain, is_archived: isArchived, same_as: other === undefined ? null : nameOf(other) };
  });
}

/** An app of another scope has no name and no id for the reader. */
function nameOf({ id, name, is_visible: isVisible }: Holder): InvalidDomain['same_as'] {
  return isVisible ? { id, name } : { id: null, name: null };
}

/** A line for each domain that `listInvalidDomains` finds, with the address of the app's page. */
export async function describeInvalidDomains(db: Kysely<Tables>, appUrl: string): Promise<string[]> {
  const domains = await listInvalidDomains(db, 'all');
  return domains.map(({ id, name, domain, same_as: other }) => {
    const why = other === null ? 'no host name' : `the domain of app ${other.id} in another form`;
    return `App domain: ${JSON.stringify(domain)} is ${why} (app ${id} ${JSON.stringify(name)}, ${appUrl}/apps/${id}/edit)`;
  });
}
