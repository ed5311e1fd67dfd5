import { fullApp, type FullApp } from '@switchyard/contract/app-form';
import { newAppDefaults, type ResponseMessage } from '@switchyard/contract/app-rules';
import type { AppRow } from '@switchyard/contract/apps';
import { wireDate } from '@switchyard/contract/dates';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { toCheckDomain, type ListedCheckDomain } from '../app-domains/links-lookup.ts';
import type { AppSettings } from './app-settings.ts';
import type { ListedApp } from './apps-read-model.ts';
import { apiSecretPlace, appLabel, type AppWithSettings, type StoredApp } from './apps-store.ts';
import { type AppCounters, toStatistics } from './counters.ts';

/** Figures of an app; `seesStatistics`: the reader has the permission manager_app_statistics. */
type Figures = { hasClients: boolean; counters: AppCounters; seesStatistics: boolean };
type LinksAndBuyers = { checkDomains: readonly ListedCheckDomain[]; buyers: number };

/** A row of the apps list. */
export function toAppRow(app: ListedApp, figures: Figures & LinksAndBuyers): AppRow {
  return {
    id: app.id,
    name: app.name,
    bundle: app.bundle,
    domain: app.domain,
    label: appLabel(app),
    vertical: app.vertical,
    expiration_at: wireDate(app.expiration_at),
    deleted_at: wireDate(app.deleted_at),
    app_mode: app.app_mode,
    response_mode: app.response_mode,
    cloak_mode: app.cloak_mode,
    has_clients: figures.hasClients,
    check_domains: figures.checkDomains.map(toCheckDomain),
    monitoring: app.monitor_name === null ? null : { app_name: app.monitor_name, status: app.monitor_status ?? '' },
    users_count: figures.seesStatistics ? figures.buyers : null,
    statistics: toStatistics(figures.counters, figures.seesStatistics),
    created_at: wireDate(app.created_at),
    updated_at: wireDate(app.updated_at),
  };
}

function apiSecretOf({ id, api_secret_sealed: sealedSecret }: StoredApp['row'], readSecret: ReadSecret): string | null {
  return sealedSecret === null ? null : readSecret(sealedSecret, apiSecretPlace(id));
}

/** The stored responses of an app. */
export function responseMessageOf({ response_message: message }: Pick<StoredApp['row'], 'response_message'>): ResponseMessage {
  return fullApp.shape.response_message.catch(newAppDefaults.response_message).parse(message);
}

/** The settings of a stored app, its secret in clear; a secret that cannot be opened counts as not set. */
export function toSettings({ row, buyers }: AppWithSettings, readSecret: ReadSecret): AppSettings {
  return {
    name: row.name,
    bundle: row.bundle,
    domain: row.domain,
    vertical: row.vertical,
    whiteUserAgent: row.white_user_agent,
    createApfDevKey: row.create_apf_dev_key,
    firebaseAppId: row.firebase_app_id,
    apiSecret: apiSecretOf(row, readSecret),
    conversion_api_type: row.conversion_api_type,
    app_mode: row.app_mode,
    response_mode: row.response_mode,
    response_message: responseMessageOf(row),
    proxy_api_url: row.proxy_api_url,
    static_response_path: row.static_response_path,
    proxy_cache_seconds: row.proxy_cache_seconds,
    cloak_mode: row.cloak_mode,
    adspect_cloak: row.adspect_cloak,
    userIds: buyers.map((buyer) => buyer.id),
  };
}

/** The App of the wire. */
export function toFullApp(app: StoredApp, figures: Figures & { readSecret: ReadSecret }): FullApp {
  const { row, buyers, checkDomains } = app;
  const { createApfDevKey, firebaseAppId, apiSecret, whiteUserAgent, userIds: _ids, ...settings } = toSettings(app, figures.readSecret);
  return {
    ...toAppRow(row, { ...figures, checkDomains, buyers: buyers.length }),
    ...settings,
    white_user_agent: whiteUserAgent,
    keys: { createApfDevKey, firebaseAppId, apiSecret },
    buyers,
    firebase_settings:
      row.push_file_name === null || row.push_file_at === null
        ? null
        : { fileName: row.push_file_name, projectId: row.push_file_project, updated_at: wireDate(row.push_file_at) },
    version: row.version,
  };
}
