import type pg from 'pg';

/** Rows of a large customer, beside those of the demo. */
export const largeSizes = {
  apps: 10_000,
  servers: 1_000,
  staff: 2_000,
  buyers: 5_000,
  roles: 300,
  blackIps: 50_000,
  rules: 300,
  incidents: 4_700,
};

/** Ids of the entries whose pages are measured. */
export type LargeEntries = { app: number; staff: number; buyer: number; role: number; rule: number };

const { apps, servers, staff, buyers, roles, blackIps, rules, incidents } = largeSizes;
/** Users of the measured app, and apps of the measured accounts. */
const shared = { appUsers: 500, ownApps: 5_000 };

/** Loads the large customer; its open incidents are those of a rule whose condition holds, so evaluations keep them. */
export async function loadLargeCustomer(client: pg.ClientBase): Promise<LargeEntries> {
  await client.query(`
    create temporary table seed as select (select max(id) from apps) as app, (select max(id) from accounts) as account,
      (select max(id) from roles) as role, (select max(id) from traffic_servers) as server;
    insert into apps (name, bundle, domain, vertical, response_message, expiration_at)
      select 'Large app ' || n, 'com.large.app' || n, 'large' || n || '.bench.example', 'casino', (select response_message from apps limit 1),
        now() + (case when n <= ${incidents} then 5 else 400 end) * interval '1 day'
      from generate_series(1, ${apps}) as n;
    insert into roles (panel, name, label, badge)
      select case when n % 4 = 0 then 'buyer' else 'user' end, 'Large role ' || n, 'Large role ' || n, 'R' || n from generate_series(1, ${roles}) as n;
    insert into role_permissions select id, 1 + id % 20 from roles, seed where id > seed.role and panel = 'user';
    insert into role_permissions select id, 23 + id % 7 from roles, seed where id > seed.role and panel = 'buyer';
    insert into accounts (panel, name, email, password_hash, all_apps)
      select case when n <= ${staff} then 'user' else 'buyer' end, 'Large person ' || n, 'person' || n || '@large.example', 'x', n <= ${staff} and n % 2 = 0
      from generate_series(1, ${staff + buyers}) as n;
    with chosen as (select id, panel, row_number() over (partition by panel order by id) as n from roles, seed where id > seed.role)
    insert into account_roles select account.id, chosen.id, account.panel from seed, accounts as account
      join chosen using (panel) where account.id > seed.account
        and chosen.n = 1 + account.id % (select count(*) from chosen as other where other.panel = account.panel);
    insert into app_accounts select seed.account + n, seed.app + 1 from seed, generate_series(1, ${shared.appUsers}) as n;
    insert into app_accounts select seed.account + 1, seed.app + n from seed, generate_series(2, ${shared.ownApps}) as n;
    insert into app_buyers select seed.app + n, seed.account + ${staff} + 1 from seed, generate_series(1, ${shared.ownApps}) as n;
    insert into app_buyers select seed.app + 1, seed.account + ${staff} + n from seed, generate_series(2, ${shared.appUsers}) as n;
    insert into traffic_servers (name, url, region, last_seen_at)
      select 'large-edge-' || n, 'https://edge' || n || '.large.example', 'region-' || n % 9, now() from generate_series(1, ${servers}) as n;
    insert into check_domains (app_id, server_id, status, ssl_at, is_bind)
      select seed.app + 1, id, 'ok', now() + interval '60 days', true from traffic_servers, seed where id > seed.server;
    insert into black_ips (ip, reason, created_at, updated_at)
      select '100.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, 'Bench', now() - n * interval '1 minute', now() - n * interval '1 minute'
      from generate_series(1, ${blackIps}) as n;
    insert into alert_rules (name, kind, threshold, scope_apps)
      select 'Large rule ' || n, 'domain_expiry', case when n = 1 then 30 else 1 end, 'chosen' from generate_series(1, ${rules}) as n;
    insert into alert_rule_apps
      select rule.id, seed.app + n from seed, alert_rules as rule cross join generate_series(1, ${incidents}) as n where rule.name = 'Large rule 1';
    insert into alert_rule_apps
      select rule.id, seed.app + ${incidents} + rule.id % 50 from seed, alert_rules as rule where rule.name like 'Large rule %' and rule.name <> 'Large rule 1';
    insert into incidents (rule_id, rule_name, kind, severity, threshold, subject_id, app_id, affected, names, value, reason, is_silenced, started_at)
      select rule.id, rule.name, rule.kind, rule.severity, rule.threshold, app.id, app.id, 1, array[app.name], 5, 'The domain expires in 5 days.', false, now()
      from alert_rules as rule join alert_rule_apps on rule_id = rule.id join apps as app on app.id = app_id where rule.name = 'Large rule 1';
    insert into api_tokens (kind, owner_id, name, permission_ids, all_apps, app_ids, networks, token_hash, ends_with, expires_at)
      select 'personal', id, 'Large token ' || id, '{3}', false, '{}', '{}', sha256(convert_to('large ' || id, 'UTF8')), 'AAAA', now() + interval '30 days'
      from accounts, seed where id > seed.account and panel = 'user';
    analyze`);
  const { rows } = await client.query<LargeEntries>(`
    select app + 1 as app, account + 1 as staff, account + ${staff} + 1 as buyer, (select min(id) from roles where panel = 'user' and name like 'Large role %') as role,
      (select id from alert_rules where name = 'Large rule 1') as rule from seed`);
  const [entries] = rows;
  if (entries === undefined) throw new Error('The large customer was not loaded.');
  return entries;
}
