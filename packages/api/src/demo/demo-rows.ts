import type { DemoAccount } from '@switchyard/demo/demo-accounts';
import type { DemoApp } from '@switchyard/demo/demo-apps';
import type { DemoLink, DemoServer } from '@switchyard/demo/demo-servers';
import type { AppSecrets, NewAccount, NewApp, NewLink, NewServer } from './demo-store.ts';
import { seededRandom } from '@switchyard/demo/seeded-random';

const day = 86_400_000;

function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

/** The row of a demo account; accounts that nobody signs in with have no password. */
export function accountRow(account: DemoAccount, passwordHash: string, now: Date): NewAccount {
  const createdAt = daysFrom(now, -320);
  const row = {
    name: account.name,
    email: account.email,
    panel: account.panel,
    password_hash: account.signsIn ? passwordHash : null,
    has_access: account.hasAccess,
    all_apps: account.panel === 'user' && account.onlyApps === null,
    is_qa: account.isQa,
    is_demo: true,
    google_issuer: null,
    google_subject: null,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
  };
  return { row, roleId: account.roleId };
}

const blank = { type: 'json', code: 200, response: '' };

/** The row of a demo app, the earlier in the list the older. */
export function appRow(app: DemoApp, index: number, now: Date): NewApp {
  const random = seededRandom('app', app.bundle);
  const createdAt = daysFrom(now, -310 + index * 7);
  const redirects = random.chance(0.3);
  const isMmp = app.keys === 'mmp_appsflyer';
  return {
    name: app.name,
    bundle: app.bundle,
    domain: app.domain,
    vertical: app.vertical,
    expiration_at: app.expiresInDays === null ? null : daysFrom(now, app.expiresInDays),
    white_user_agent: random.chance(0.15) ? 'SwitchyardProbe/1.0' : null,
    create_apf_dev_key: isMmp ? random.hex(22) : null,
    firebase_app_id: app.keys === 'google_analytics' ? `1:${random.integer(100_000_000, 999_999_999)}:android:${random.hex(16)}` : null,
    api_secret_sealed: null,
    conversion_api_type: app.keys === 'google_analytics' ? 'google_analytics' : 'mmp_appsflyer',
    app_mode: random.pick(['default', 'default', 'default', 'push_only', 'one_request_url']),
    response_mode: redirects ? 'custom' : 'white',
    response_message: JSON.stringify({
      static: blank,
      create: blank,
      receive: redirects ? { type: 'html', code: 302, response: `https://offers.example/${app.domain}` } : blank,
    }),
    proxy_api_url: redirects ? `https://origin.${app.domain}` : null,
    static_response_path: '/',
    proxy_cache_seconds: random.pick([300, 600, 900, 3_600]),
    cloak_mode: app.cloakMode,
    adspect_cloak: cloakId(app.cloakMode, random.hex(32)),
    monitor_name: app.monitor?.name ?? null,
    monitor_status: app.monitor?.status ?? null,
    push_file_sealed: null,
    push_file_name: null,
    push_file_project: null,
    push_file_at: null,
    created_at: createdAt,
    updated_at: daysFrom(createdAt, 5),
    deleted_at: app.archived ? daysFrom(now, -random.integer(2, 60)) : null,
  };
}

/** A cloak id in the form that the mode asks for: a UUID for Adspect, 32 hex digits for MagicChecker. */
function cloakId(mode: DemoApp['cloakMode'], hex: string): string | null {
  if (mode === 'magic_checker') return hex;
  if (mode !== 'custom') return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Keys and push file of a demo app that are stored sealed; null when it has neither. */
export async function secretsOf(
  app: DemoApp,
  now: Date,
  seal: (column: 'api_secret_sealed' | 'push_file_sealed', secret: string) => Promise<string>,
): Promise<AppSecrets | null> {
  const random = seededRandom('secrets', app.bundle);
  const project = app.domain.replace('.example', '');
  const pushFile = random.chance(0.6) && app.keys !== 'none';
  if (!pushFile && app.keys !== 'google_analytics') return null;
  return {
    ...(app.keys === 'google_analytics' ? { api_secret_sealed: await seal('api_secret_sealed', random.hex(24)) } : {}),
    ...(pushFile
      ? {
          push_file_sealed: await seal('push_file_sealed', JSON.stringify({ type: 'service_account', project_id: project })),
          push_file_name: `${project}.json`,
          push_file_project: project,
          push_file_at: daysFrom(now, -random.integer(10, 200)),
        }
      : {}),
  };
}

/** The row of a demo traffic server, which shows itself with the token of this hash. */
export function serverRow(server: DemoServer, tokenHash: Buffer, now: Date): NewServer {
  const createdAt = daysFrom(now, -330);
  return {
    name: server.name,
    url: server.url,
    region: server.region,
    ip: server.ip,
    token_hash: tokenHash,
    ingest_enabled: true,
    token_set_at: createdAt,
    main_hash_sealed: null,
    hash_sealed: null,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
  };
}

/** The row of a link between an app's domain and a traffic server. */
export function linkRow(link: DemoLink, ids: { app_id: number; server_id: number }, now: Date): NewLink {
  return {
    ...ids,
    is_bind: link.isBind,
    ssl_at: link.sslInDays === null ? null : daysFrom(now, link.sslInDays),
    registrar: link.registrar,
    is_only_cf: link.isOnlyCf,
    status: link.status,
    error: link.error,
    next_stage_at: link.nextStageInSeconds === null ? null : new Date(now.getTime() + link.nextStageInSeconds * 1000),
  };
}
