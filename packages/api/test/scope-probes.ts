import type { Endpoint } from '@switchyard/contract/endpoint';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { setImmediate } from 'node:timers/promises';
import { newAccountForm, testPassword } from './account-form.ts';
import { newAppForm } from './app-form.ts';
import { anyone, type ScopeScene } from './scope-scene.ts';
import { makeApiToken, signInAs } from './sign-in-as.ts';
import { longToken, plain } from './traffic-server-calls.ts';

/** How a call is made: the parameter of its path, and the rest of the request. */
export type ScopeProbe = {
  id?: number | string;
  sessionId?: number;
  revision?: number;
  query?: string;
  body?: object;
  headers?: Record<string, string>;
};

/** The subject of a call: the app in scope, the other one, or both. */
export const scopeCases = ['own', 'foreign', 'mixed'] as const;
export type ScopeCase = (typeof scopeCases)[number];

/** Why scope plays no part in a call. */
export const apartReasons = {
  public: 'needs no account',
  server: 'is made by traffic servers, which serve every app',
  self: 'is about the account of the caller alone',
  shared: 'is about nothing that belongs to an app',
} as const;

type Make = (scene: ScopeScene) => ScopeProbe | Promise<ScopeProbe>;
/** The probes of a call; a case that cannot occur is left out. */
export type ScopeProbes = Partial<Record<ScopeCase, Make>>;

const ofApp = (more: ScopeProbe = {}): ScopeProbes => ({
  own: ({ apps }) => ({ id: apps.own.id, ...more }),
  foreign: ({ apps }) => ({ id: apps.foreign.id, ...more }),
});
const ofUser = (more: () => ScopeProbe = () => ({})): ScopeProbes => ofAccount('user', more);
const ofBuyer = (more: () => ScopeProbe = () => ({})): ScopeProbes => ofAccount('buyer', more);
function ofAccount(panel: 'user' | 'buyer', more: () => ScopeProbe): ScopeProbes {
  return everyCase((which) => async (scene) => ({ id: (await scene[panel](which)).accountId, ...more() }));
}
function everyCase(probe: (which: ScopeCase) => Make): ScopeProbes {
  return { own: probe('own'), foreign: probe('foreign'), mixed: probe('mixed') };
}
/** A list that is narrowed to what is of one app, or of both. */
const narrowedProbes = (own: string, foreign: string, mixedQuery = ''): ScopeProbes => ({
  own: () => ({ query: own }),
  foreign: () => ({ query: foreign }),
  mixed: () => ({ query: mixedQuery }),
});
const all: ScopeProbes = { mixed: () => ({}) };
const requestsOf = narrowedProbes('clientId=c_insider', 'clientId=c_outsider');
const ofClient: ScopeProbes = {
  own: () => ({ id: 'c_insider' }),
  foreign: () => ({ id: 'c_outsider' }),
  mixed: () => ({ id: anyone }),
};
const ofAddress: ScopeProbes = { own: () => ({ id: '10.1.1.1' }), foreign: () => ({ id: '10.2.2.2' }) };
const accountWithApps = (roles: string[]) =>
  everyCase((which) => ({ ids }) => ({ body: newAccountForm({ roles, appIds: ids[which] }) }));
/** The account of an invitation, which has no password. */
const invitedWithApps = (roles: string[]) =>
  everyCase((which) => ({ ids }) => ({ body: newAccountForm({ roles, appIds: ids[which], password: undefined }) }));
const buyerWithApps = everyCase((which) => async ({ ids, buyer }) => ({
  // A buyer in scope for what is attached, so that the list of apps alone decides.
  id: (await buyer('own')).accountId,
  body: { appIds: ids[which] },
}));
const newToken = (apps: readonly number[]) => ({ name: 'deploy', permission_ids: [3], app_ids: [...apps], expires_in_days: 30 });
function service(which: ScopeCase): Make {
  return async ({ api, ids, apps, caller }) => {
    const name = which === 'own' ? apps.own.name : apps.foreign.name;
    const of = { ownerId: caller.accountId, kind: 'service', permissions: ['manager_app_edit'], apps: ids[which] } as const;
    const { tokenId } = await makeApiToken(api.databases, of);
    await api.databases.db.updateTable('api_tokens').set({ name }).where('id', '=', tokenId).execute();
    return { id: tokenId };
  };
}
const sessionOf =
  (whose: 'own' | 'foreign'): Make =>
  async ({ api, accountFields, caller }) => {
    const other = await signInAs(api.databases, accountFields);
    if (whose === 'own')
      await api.databases.db.updateTable('sessions').set({ account_id: caller.accountId }).where('id', '=', other.sessionId).execute();
    return { id: other.sessionId };
  };
const requestOf =
  (mark: string): Make =>
  async ({ api }) => {
    const reader = await signInAs(api.databases, { permissions: ['manager_app_all_requests'], since: api.now() });
    const { body } = await api.call('GET', `/api/all-requests?clientId=c_${mark}`, reader);
    return { id: body.data[0].id };
  };
const serverId: Make = ({ server }) => ({ id: server.serverId });
const boundary = 'push-file-form';
const pushFile = (app: number): ScopeProbe => {
  const part = (name: string, content: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}\r\n\r\n${content}\r\n`;
  const file = part('configuration"; filename="acme.json"', '{"project_id":"acme-1"}');
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${part('appId"', String(app))}${file}--${boundary}--\r\n`),
  };
};

/** A recorded change of a field, to which a call goes back. */
const revisionOf =
  (entity: 'app' | 'role' | 'user' | 'buyer' | 'server', field: string, find: Make): Make =>
  async (scene) => {
    const { id } = await find(scene);
    const changes = JSON.stringify([{ field, from: 'Before', to: `After ${Math.random()}` }]);
    const { id: revision } = await scene.api.databases.db
      .insertInto('audit_entries')
      .values({ entity, entity_id: String(id), action: 'update', app_id: entity === 'app' ? Number(id) : null, changes })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: Number(id), revision, body: {} };
  };
/** A tile of the caller that lists apps, whose report is ready. */
const withTile: Make = async ({ api, caller }) => {
  const view = { list: 'reports', name: `Apps ${Math.random()}`, query: 'groupBy=app' };
  const { id: view_id } = (await api.call('POST', '/api/views', { ...caller, body: view })).body.data;
  await api.call('POST', '/api/dashboard/tiles', { ...caller, body: { view_id, shape: 'table' } });
  const isPending = async () =>
    (await api.call('GET', '/api/dashboard', caller)).body.data.tiles.some(({ state }: { state: string }) => state === 'pending');
  while (await isPending()) await setImmediate();
  return {};
};
/** A rule of chosen apps. */
const ruleOf =
  (which: ScopeCase, body?: object): Make =>
  async ({ api, ids }) => {
    const { rows } = await api.databases.pools.ops.query<{ id: number }>(
      `with rule as (insert into alert_rules (name, kind, scope_apps) values ('Domains', 'domain_expiry', 'chosen') returning id)
       insert into alert_rule_apps select id, unnest($1::int[]) from rule returning rule_id as id`,
      [ids[which]],
    );
    return { id: rows[0]?.id ?? 0, ...(body === undefined ? {} : { body }) };
  };
/** A firing incident of an app. */
const incidentOf =
  (whose: 'own' | 'foreign', body?: object): Make =>
  async ({ api, apps }) => {
    const { rows } = await api.databases.pools.ops.query<{ id: number }>(
      `insert into incidents (rule_name, kind, severity, subject_id, app_id, affected, names, reason, is_silenced, started_at)
       values ('Domains', 'domain_expiry', 'warning', $1, $1, 1, '{}', 'It expires.', false, now()) returning id`,
      [apps[whose].id],
    );
    return { id: rows[0]?.id ?? 0, ...(body === undefined ? {} : { body }) };
  };
const inScope = (ids: readonly number[]) => ({ scope: { apps: 'chosen', app_ids: ids } });
const untilTomorrow = { ends_at: new Date(Date.now() + 86_400_000).toISOString() };
/** An incident of an app as the target of a call on many. */
const chosenIncident =
  (whose: 'own' | 'foreign', body: object): Make =>
  async (scene) => {
    const { id } = await incidentOf(whose)(scene);
    return { body: { target: { keys: [id ?? 0] }, ...body } };
  };
const silenceOf =
  (which: ScopeCase): Make =>
  async ({ api, ids }) => {
    const { rows } = await api.databases.pools.ops.query<{ id: number }>(
      `with silence as (
         insert into silences (note, kind, scope_apps, starts_at, ends_at)
         values ('Move', 'domain_expiry', 'chosen', now(), now() + interval '1 day') returning id)
       insert into silence_apps select id, unnest($1::int[]) from silence returning silence_id as id`,
      [ids[which]],
    );
    return { id: rows[0]?.id ?? 0 };
  };
/** A note about an app. */
const noteOf =
  (whose: 'own' | 'foreign'): Make =>
  async ({ api, apps, caller }) => {
    const { rows } = await api.databases.pools.ops.query<{ id: number }>(
      `insert into notes (text, at, app_id, author_id, created_at) values ($1, now(), $2, $3, now()) returning id`,
      [`Note of ${apps[whose].name}`, apps[whose].id, caller.accountId],
    );
    return { id: rows[0]?.id ?? 0 };
  };
const roleProbe =
  (which: ScopeCase): Make =>
  async ({ user, roleOf: find }) => ({ id: await find(await user(which)) });
const accountOf =
  (panel: 'user' | 'buyer') =>
  (which: ScopeCase): Make =>
  async (scene) => ({ id: (await scene[panel](which)).accountId });

/** Calls by their numbers: how each is made for each case, or why scope plays no part in it, where the contract does not say it. */
const scopeProbes: Readonly<Record<number, ScopeProbes | keyof typeof apartReasons>> = {
  2: 'self',
  3: 'self',
  4: 'self',
  5: 'self',
  6: { own: sessionOf('own'), foreign: sessionOf('foreign') },
  9: 'shared',
  360: 'shared',
  405: 'shared',
  11: narrowedProbes('search=insider&isCache=0', 'search=outsider&isCache=0', 'isCache=0'),
  12: everyCase((which) => async ({ buyer }) => ({ body: newAppForm({ userIds: [(await buyer(which)).accountId] }) })),
  13: ofApp(),
  14: ofApp({ body: { whiteUserAgent: 'Mozilla' } }),
  15: {
    own: async ({ link }) => ({ id: (await link('own')).app.id }),
    foreign: async ({ appOf }) => ({ id: (await appOf('foreign')).id }),
  },
  16: {
    own: async ({ link }) => ({ id: (await link('own', true)).app.id }),
    foreign: async ({ appOf }) => ({ id: (await appOf('foreign', true)).id }),
  },
  17: narrowedProbes('search=insider&isCache=0', 'search=outsider&isCache=0', 'isCache=0'),
  18: {
    own: ({ apps }) => ({ id: 'name', query: `search=${encodeURIComponent(apps.own.name)}` }),
    foreign: ({ apps }) => ({ id: 'name', query: `search=${encodeURIComponent(apps.foreign.name)}` }),
  },
  19: {
    own: ({ apps, server }) => ({ body: { domain: apps.own.domain, serverId: server.serverId } }),
    foreign: ({ apps, server }) => ({ body: { domain: apps.foreign.domain, serverId: server.serverId } }),
  },
  20: { own: async ({ link }) => ({ id: (await link('own')).id }), foreign: async ({ link }) => ({ id: (await link('foreign')).id }) },
  21: { own: ({ apps }) => pushFile(apps.own.id), foreign: ({ apps }) => pushFile(apps.foreign.id) },
  22: all,
  23: 'shared',
  24: ofApp(),
  25: ofApp(),
  26: ofApp(),
  27: ofApp(),
  28: ofApp(),
  29: ofApp(),
  30: ofApp(),
  31: 'shared',
  32: 'shared',
  33: requestsOf,
  34: narrowedProbes('search=10.1.', 'search=10.2.', 'search=10.'),
  35: requestsOf,
  36: requestsOf,
  37: 'shared',
  38: 'shared',
  39: everyCase((which) => async ({ user, roleOf }) => ({ id: await roleOf(await user(which)) })),
  40: everyCase((which) => async ({ user, roleOf }) => ({
    id: await roleOf(await user(which)),
    body: { name: `Role ${which} ${Math.random()}`, permission_ids: [1] },
  })),
  41: 'shared',
  42: 'shared',
  43: 'shared',
  44: 'shared',
  45: 'shared',
  46: all,
  47: accountWithApps(['Log Reviewer']),
  48: ofUser(),
  49: ofUser(() => ({ body: { name: 'Renamed' } })),
  50: ofUser(),
  51: ofUser(() => ({ body: { hasAccess: false } })),
  52: all,
  53: buyerWithApps,
  54: everyCase((which) => async ({ ids, buyer }) => ({ id: (await buyer('mixed')).accountId, body: { appIds: ids[which] } })),
  55: buyerWithApps,
  56: all,
  57: accountWithApps(['Buyer']),
  58: ofBuyer(),
  59: ofBuyer(() => ({ body: { password: `${testPassword}-2` } })),
  60: ofBuyer(),
  61: ofBuyer(() => ({ body: { hasAccess: false } })),
  62: all,
  63: {
    mixed: async ({ api }) => {
      const stream = await api.databases.db.selectFrom('streams').select('buyer_id').limit(1).executeTakeFirstOrThrow();
      return { id: stream.buyer_id };
    },
  },
  65: { mixed: () => ({ body: plain }) },
  67: {
    own: async (scene) => ({ ...(await serverId(scene)), body: { region: 'fra' } }),
    mixed: async (scene) => ({ ...(await serverId(scene)), body: { token: longToken('taken') } }),
  },
  68: { mixed: serverId },
  69: 'shared',
  73: 'shared',
  89: {
    own: () => ({ query: 'entity=stream&entityId=st_insider' }),
    foreign: () => ({ query: 'entity=stream&entityId=st_outsider' }),
    mixed: () => ({ query: 'limit=200' }),
  },
  100: ofApp(),
  101: ofApp(),
  110: ofUser(),
  111: ofUser(),
  112: 'self',
  113: 'self',
  116: 'self',
  114: everyCase((which) => async ({ user }) => {
    const { accountId, sessionId } = await user(which);
    return { id: accountId, sessionId };
  }),
  115: all,
  121: {
    mixed: async (scene) => {
      await scene.link('own');
      await scene.link('foreign');
      return serverId(scene);
    },
  },
  140: all,
  141: { own: requestOf('insider'), foreign: requestOf('outsider') },
  350: { mixed: () => ({ id: 64_500 }) },
  351: 'shared',
  148: narrowedProbes('clientId=c_insider&field=stream', 'clientId=c_outsider&field=stream', 'field=stream'),
  149: ofApp({ query: 'field=stream' }),
  150: narrowedProbes('streamUid=st_insider&groupBy=stream', 'streamUid=st_outsider&groupBy=stream', 'groupBy=app,stream'),
  151: narrowedProbes('streamUid=st_insider&groupBy=stream', 'streamUid=st_outsider&groupBy=stream', 'groupBy=app,stream'),
  142: { own: () => ({ id: 'c_insider' }), mixed: () => ({ id: anyone }) },
  143: ofAddress,
  144: ofClient,
  145: ofAddress,
  146: ofClient,
  147: ofAddress,
  152: 'shared',
  153: 'shared',
  154: 'shared',
  155: 'shared',
  156: 'self',
  172: 'self',
  173: 'self',
  178: 'self',
  169: 'self',
  170: 'self',
  171: 'self',
  174: 'self',
  175: 'self',
  176: 'self',
  177: 'self',
  180: everyCase((which) => async ({ api, user }) => {
    const { accountId } = await user(which);
    await api.databases.db.insertInto('second_factors').values({ account_id: accountId, kind: 'totp', name: 'Phone' }).execute();
    return { id: accountId };
  }),
  181: 'shared',
  182: everyCase((which) => async ({ user, roleOf }) => ({ body: { all_staff: false, role_ids: [await roleOf(await user(which))] } })),
  183: ofUser(),
  205: 'shared',
  187: 'self',
  188: everyCase((which) => ({ ids }) => ({ body: newToken(ids[which]) })),
  189: 'self',
  210: all,
  211: everyCase((which) => async ({ api, user }) => {
    const { accountId } = await user(which);
    return { id: (await makeApiToken(api.databases, { ownerId: accountId })).tokenId };
  }),
  212: ofUser(),
  190: {
    mixed: async (scene) => {
      await service('own')(scene);
      await service('foreign')(scene);
      return {};
    },
  },
  191: everyCase((which) => ({ ids }) => ({ body: { ...newToken(ids[which]), expires_in_days: null } })),
  192: everyCase((which) => async (scene) => ({ ...(await service(which)(scene)), body: { name: 'renamed' } })),
  193: everyCase(service),
  194: everyCase(service),
  195: invitedWithApps(['Log Reviewer']),
  196: invitedWithApps(['Buyer']),
  197: everyCase((which) => async ({ buyer }) => ({ id: (await buyer(which)).accountId })),
  198: everyCase((which) => async ({ api, buyer }) => {
    const { accountId } = await buyer(which);
    const link = { account_id: accountId, purpose: 'invitation', expires_at: api.now() } as const;
    await api.databases.db.insertInto('account_links').values(link).execute();
    return { id: accountId };
  }),
  199: ofUser(),
  300: all,
  301: { mixed: () => ({ body: { name: 'Duty', target: { kind: 'webhook', url: 'https://hooks.example' } } }) },
  302: { mixed: () => ({ id: 1 }) },
  303: { mixed: () => ({ id: 1, body: { name: 'Duty' } }) },
  304: { mixed: () => ({ id: 1 }) },
  305: { mixed: () => ({ id: 1 }) },
  306: { mixed: () => ({ id: 1 }) },
  307: { mixed: () => ({ id: 1 }) },
  308: { mixed: () => ({ id: 1 }) },
  340: 'self',
  341: 'self',
  342: 'self',
  343: 'self',
  344: 'self',
  388: 'self',
  345: { mixed: withTile },
  346: 'self',
  347: 'self',
  348: 'self',
  349: 'self',
  456: 'self',
  457: 'self',
  458: 'self',
  459: 'self',
  460: 'self',
  215: 'self',
  216: 'self',
  240: ofApp(),
  241: ofApp(),
  242: {
    own: revisionOf('app', 'whiteUserAgent', ({ apps }) => ({ id: apps.own.id })),
    foreign: revisionOf('app', 'whiteUserAgent', ({ apps }) => ({ id: apps.foreign.id })),
  },
  243: everyCase(roleProbe),
  244: everyCase(roleProbe),
  245: everyCase((which) => revisionOf('role', 'name', roleProbe(which))),
  246: ofUser(),
  247: ofUser(),
  248: everyCase((which) => revisionOf('user', 'name', accountOf('user')(which))),
  249: ofBuyer(),
  250: ofBuyer(),
  251: everyCase((which) => revisionOf('buyer', 'name', accountOf('buyer')(which))),
  254: { own: revisionOf('server', 'region', serverId) },
  260: {
    own: ({ apps }) => ({ query: `appId=${apps.own.id}` }),
    foreign: ({ apps }) => ({ query: `appId=${apps.foreign.id}` }),
    mixed: async (scene) => {
      await service('own')(scene);
      await service('foreign')(scene);
      return { query: 'permission=manager_app_edit' };
    },
  },
  261: everyCase(roleProbe),
  270: 'shared',
  271: ofUser(),
  272: 'self',
  220: everyCase((which) => ({ ids }) => ({ body: { change: { action: 'app.archive', params: {} }, target: { keys: ids[which] } } })),
  221: 'self',
  222: 'self',
  223: 'self',
  224: 'self',
  225: 'self',
  226: 'self',
  390: 'self',
  393: 'self',
  320: all,
  406: all,
  321: { mixed: ({ ids }) => ({ body: { name: 'Domains', kind: 'domain_expiry', ...inScope(ids.mixed) } }) },
  322: everyCase((which) => ruleOf(which)),
  323: { foreign: ruleOf('foreign', { threshold: 7 }), mixed: ruleOf('mixed', { threshold: 7 }) },
  324: { foreign: ruleOf('foreign'), mixed: ruleOf('mixed') },
  325: { mixed: ({ ids }) => ({ body: { kind: 'domain_expiry', ...inScope(ids.mixed) } }) },
  326: {
    own: ({ apps }) => ({ query: `appId=${apps.own.id}` }),
    foreign: ({ apps }) => ({ query: `appId=${apps.foreign.id}` }),
    mixed: async (scene) => {
      await incidentOf('own')(scene);
      await incidentOf('foreign')(scene);
      return {};
    },
  },
  430: everyCase((which) => ({ apps }) => ({
    query: `ids=${which === 'mixed' ? `${apps.own.id},${apps.foreign.id}` : apps[which].id}`,
  })),
  431: {
    ...all,
    own: ({ apps }) => ({ query: `exceptApp=${apps.own.id}` }),
    foreign: ({ apps }) => ({ query: `exceptApp=${apps.foreign.id}` }),
  },
  432: { mixed: () => ({ query: 'panel=buyer' }) },
  433: 'shared',
  435: all,
  434: {
    own: ({ apps }) => ({ query: `appId=${apps.own.id}` }),
    foreign: ({ apps }) => ({ query: `appId=${apps.foreign.id}` }),
    mixed: () => ({}),
  },
  383: {
    own: ({ apps }) => ({ query: `by=app&appId=${apps.own.id}` }),
    foreign: ({ apps }) => ({ query: `by=app&appId=${apps.foreign.id}` }),
    mixed: async (scene) => {
      await incidentOf('own')(scene);
      await incidentOf('foreign')(scene);
      return { query: 'by=app' };
    },
  },
  384: { own: chosenIncident('own', {}), foreign: chosenIncident('foreign', {}) },
  385: { foreign: chosenIncident('foreign', untilTomorrow) },
  386: {
    mixed: async (scene) => {
      await incidentOf('own')(scene);
      await incidentOf('foreign')(scene);
      return {};
    },
  },
  327: { own: incidentOf('own'), foreign: incidentOf('foreign') },
  387: { own: incidentOf('own'), foreign: incidentOf('foreign') },
  382: {
    mixed: async (scene) => {
      await incidentOf('own')(scene);
      await incidentOf('foreign')(scene);
      return { query: 'after=0' };
    },
  },
  328: { own: incidentOf('own', { note: 'Renewing' }), foreign: incidentOf('foreign', { note: 'Renewing' }) },
  329: all,
  330: { mixed: ({ ids }) => ({ body: { kind: 'domain_expiry', ...untilTomorrow, ...inScope(ids.mixed) } }) },
  331: { foreign: silenceOf('foreign'), mixed: silenceOf('mixed') },
  448: {
    own: async (scene) => {
      await noteOf('own')(scene);
      return { query: `appId=${scene.apps.own.id}` };
    },
    foreign: async (scene) => {
      await noteOf('foreign')(scene);
      return { query: `appId=${scene.apps.foreign.id}` };
    },
    mixed: async (scene) => {
      await noteOf('own')(scene);
      await noteOf('foreign')(scene);
      return { query: `startDate=2026-01-01&endDate=2036-01-01` };
    },
  },
  449: {
    own: ({ apps }) => ({ body: { text: 'Campaign', app_id: apps.own.id } }),
    foreign: ({ apps }) => ({ body: { text: 'Campaign', app_id: apps.foreign.id } }),
  },
  450: { own: noteOf('own'), foreign: noteOf('foreign') },
  451: ofApp(),
  157: narrowedProbes('q=insider', 'q=outsider', 'q=acme'),
  158: everyCase((which) => ({ apps }) => ({
    query: `ids=${which === 'mixed' ? `${apps.own.id},${apps.foreign.id}` : apps[which].id}`,
  })),
  159: all,
  370: all,
  380: ofApp(),
  381: { mixed: () => ({ id: 1 }) },
  410: all,
  411: { mixed: () => ({ id: 1 }) },
  371: ofUser(),
  372: ofBuyer(),
  391: 'self',
  392: 'self',
  373: 'self',
  374: 'self',
  375: 'shared',
  160: 'shared',
  207: 'shared',
  208: 'shared',
  161: {
    own: () => ({ query: 'entity=stream&entityId=st_insider' }),
    foreign: () => ({ query: 'entity=stream&entityId=st_outsider' }),
    mixed: () => ({}),
  },
};

const ignoringScope = new Set<string>(permissionCatalogue.flatMap((entry) => ('ignoresScope' in entry ? [entry.label] : [])));

/** How a call is made for each case, or why scope plays no part in it. Throws if neither the contract nor this file says it. */
export function scopeProbesOf({ number, path, access }: Endpoint): ScopeProbes | keyof typeof apartReasons {
  const probes = scopeProbes[number];
  if (probes !== undefined) return probes;
  if (access.kind === 'public') return 'public';
  if (access.kind === 'traffic-server') return 'server';
  if (access.kind === 'permissions' && access.anyOf.every((label) => ignoringScope.has(label))) return 'shared';
  throw new Error(`[${number}] ${path} has no probe of app scope`);
}
