import type { ColumnType, Generated } from 'kysely';
import type { conversionTypes, proxyCacheSeconds } from '@switchyard/contract/app-rules';
import type { appModes, cloakModes, linkStatuses, responseModes } from '@switchyard/contract/apps';
import type { ChannelKind, channelFields } from '@switchyard/contract/channels';
import type { FieldValues } from '@switchyard/contract/entity';
import type { Panel } from '@switchyard/contract/permissions';

/** Set by the database when a row is made; written as a Date afterwards. */
type CreatedAt = ColumnType<Date, Date | undefined, Date>;
/** JSON column: read as a value, written as serialised text. */
type Json<T> = ColumnType<T, string, string>;

export type AccountsTable = {
  id: Generated<number>;
  panel: Panel;
  name: string;
  email: string;
  password_hash: string | null;
  has_access: Generated<boolean>;
  all_apps: Generated<boolean>;
  is_qa: Generated<boolean>;
  google_issuer: string | null;
  google_subject: string | null;
  /** Made by the demo: signs in only while the demo is on. */
  is_demo: Generated<boolean>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
  deleted_at: Date | null;
};

export type RolesTable = {
  id: Generated<number>;
  panel: Panel;
  name: string;
  label: string;
  badge: string;
  is_system: Generated<boolean>;
  requires_second_factor: Generated<boolean>;
  second_factor_from: Generated<Date | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
};

export type SessionsTable = {
  id: Generated<number>;
  token_hash: Buffer;
  account_id: number;
  created_at: CreatedAt;
  last_used_at: CreatedAt;
  /** When the owner last proved their identity, by signing in or by confirming it. */
  authenticated_at: CreatedAt;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
};

export type SecondFactorsTable = {
  id: Generated<number>;
  account_id: number;
  kind: 'totp' | 'passkey';
  name: string;
  /** The secret of a TOTP factor. */
  secret_sealed: string | null;
  /** The newest step of a TOTP factor whose code was used; older codes are rejected. */
  last_used_step: Generated<number>;
  credential_id: string | null;
  public_key: Buffer | null;
  signature_count: Generated<number>;
  transports: Generated<string[]>;
  created_at: CreatedAt;
  last_used_at: Date | null;
};

export type ViewAsSessionsTable = {
  id: Generated<number>;
  token_hash: Buffer;
  session_id: number;
  /** Subject of the view: a role or an account. */
  role_id: number | null;
  account_id: number | null;
  created_at: Date;
  expires_at: Date;
};

export type SignInChallengesTable = {
  id: Generated<number>;
  token_hash: Buffer;
  purpose: 'sign_in' | 'passwordless' | 'reauthenticate' | 'add_totp' | 'add_passkey';
  account_id: number | null;
  /** The session that began it; null before there is one. */
  session_id: number | null;
  webauthn_challenge: string | null;
  /** The secret of a TOTP factor that is not confirmed yet. */
  secret_sealed: string | null;
  failures: Generated<number>;
  expires_at: Date;
};

export type AccountLinksTable = {
  id: Generated<number>;
  account_id: number;
  purpose: 'invitation' | 'password_reset';
  /** Null until the mail with the token is sent. */
  token_hash: Buffer | null;
  /** Outcome of the mail with the link; null if the link was shown instead. */
  mail: 'queued' | 'sent' | 'retrying' | 'failed' | null;
  expires_at: Date;
};

export type AppsTable = {
  id: Generated<number>;
  name: string;
  bundle: string;
  domain: string;
  /** Null if it is the domain. */
  domain_unicode: string | null;
  vertical: string;
  expiration_at: Date | null;
  white_user_agent: string | null;
  create_apf_dev_key: string | null;
  firebase_app_id: string | null;
  api_secret_sealed: string | null;
  conversion_api_type: Generated<(typeof conversionTypes)[number]>;
  app_mode: Generated<(typeof appModes)[number]>;
  response_mode: Generated<(typeof responseModes)[number]>;
  response_message: Json<unknown>;
  proxy_api_url: string | null;
  static_response_path: Generated<string>;
  proxy_cache_seconds: Generated<(typeof proxyCacheSeconds)[number]>;
  cloak_mode: Generated<(typeof cloakModes)[number]>;
  adspect_cloak: string | null;
  monitor_name: string | null;
  monitor_status: string | null;
  push_file_sealed: string | null;
  push_file_name: string | null;
  push_file_project: string | null;
  push_file_at: Date | null;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
  deleted_at: Date | null;
};

export type TrafficServersTable = {
  id: Generated<number>;
  name: string;
  url: string;
  region: string | null;
  ip: string | null;
  token_hash: Buffer | null;
  ingest_enabled: Generated<boolean>;
  main_hash_sealed: string | null;
  hash_sealed: string | null;
  token_set_at: Date | null;
  main_hash_set_at: Date | null;
  hash_set_at: Date | null;
  last_seen_at: Date | null;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
  deleted_at: Date | null;
};

export type CheckDomainsTable = {
  id: Generated<number>;
  app_id: number;
  server_id: number;
  is_bind: Generated<boolean>;
  ssl_at: Date | null;
  registrar: string | null;
  is_only_cf: Generated<boolean>;
  status: Generated<(typeof linkStatuses)[number]>;
  error: string | null;
  next_stage_at: Date | null;
  /** Id of the newest job for this link; jobs with another one do nothing. */
  ticket: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
};

export type StreamsTable = {
  uid: string;
  app_id: number;
  buyer_id: number;
  name: string;
  rules: Json<{ country: string[] }>;
  offer: string | null;
  level_cloaking: string | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
};

export type AuditEntriesTable = {
  id: Generated<number>;
  at: CreatedAt;
  actor_id: number | null;
  action: string;
  entity: string;
  entity_id: string | null;
  entity_label: string | null;
  app_id: number | null;
  ip: string | null;
  request_id: string | null;
  changes: Json<unknown>;
};

export type ApiTokensTable = {
  id: Generated<number>;
  kind: 'personal' | 'service';
  owner_id: number;
  name: string;
  permission_ids: number[];
  all_apps: boolean;
  app_ids: number[];
  /** Canonical addresses and blocks; empty: everywhere. */
  networks: string[];
  token_hash: Buffer;
  ends_with: string;
  created_at: CreatedAt;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_used_ip: string | null;
};

export type SavedViewsTable = {
  id: Generated<number>;
  owner_id: number;
  list: string;
  name: string;
  query: string;
  columns: Json<unknown>;
  sharing: 'private' | 'roles' | 'everyone';
  created_at: CreatedAt;
  updated_at: CreatedAt;
};

/** Where the console sends messages. */
export type ChannelsTable = FieldValues<typeof channelFields> & {
  id: Generated<number>;
  kind: ChannelKind;
  addresses: string[] | null;
  /** Only the origin for Slack and Mattermost. */
  url: string | null;
  chat_id: string | null;
  /** The url of Slack and Mattermost, or the token of a Telegram bot. */
  target_sealed: string | null;
  signing_secret_sealed: string | null;
  old_signing_secret_sealed: string | null;
  old_signing_secret_until: Date | null;
  sending_until: Date | null;
  paused_until: Date | null;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

/** A secret key that encrypts or encrypted this database, known by its fingerprint alone. */
export type SecretKeysTable = {
  id: Generated<number>;
  fingerprint: string;
  state: 'current' | 'previous' | 'replaced';
  created_at: CreatedAt;
  replaced_at: Date | null;
  /** Secrets derived from a former key, encrypted with the current one; null if they are lost. */
  derived_sealed: string | null;
};

/** Every table that is written through the query builder; traffic tables belong to the traffic store. */
export type Tables = {
  accounts: AccountsTable;
  roles: RolesTable;
  role_permissions: { role_id: number; permission_id: number };
  account_roles: { account_id: number; role_id: number; panel: Panel };
  sessions: SessionsTable;
  view_as_sessions: ViewAsSessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: { account_id: number; code_hash: Buffer; used_at: Date | null };
  sign_in_challenges: SignInChallengesTable;
  sign_in_rules: {
    id: Generated<boolean>;
    all_staff_need_second_factor: Generated<boolean>;
    all_staff_from: Generated<Date | null>;
    version: Generated<number>;
  };
  account_links: AccountLinksTable;
  google_states: { state_hash: Buffer; nonce: string; verifier: string; expires_at: Date };
  known_addresses: { account_id: number; address_key: string; last_signed_in_at: Date };
  sign_in_attempts: { key: string; attempts: number; window_ends_at: Date };
  apps: AppsTable;
  app_accounts: { account_id: number; app_id: number };
  app_buyers: { app_id: number; account_id: number };
  traffic_servers: TrafficServersTable;
  traffic_server_minutes: { server_id: number; minute: Date; events: number };
  check_domains: CheckDomainsTable;
  edge_revision: { revision: number };
  black_ips: {
    ip: string;
    reason: string;
    source: Generated<string>;
    expires_at: Generated<Date | null>;
    set_by: Generated<number | null>;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  asn_ban_reasons: { code: number; reason: string };
  asns: { code: number; domain: string; name: string; is_ban_create: Generated<boolean>; is_ban_receive: Generated<boolean> };
  streams: StreamsTable;
  audit_entries: AuditEntriesTable;
  api_tokens: ApiTokensTable;
  saved_views: SavedViewsTable;
  channels: ChannelsTable;
  secret_keys: SecretKeysTable;
};
