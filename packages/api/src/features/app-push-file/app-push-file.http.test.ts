import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, testKeys, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const key = '-----BEGIN PRIVATE KEY-----canary-of-the-push-file-----END PRIVATE KEY-----';
const account = { type: 'service_account', project_id: 'acme-1', private_key: key, token_uri: 'https://oauth2.googleapis.com/token' };
const mebibyte = 1_048_576;
const boundary = 'push-file-form';
type Part = { name: string; file?: string; content: string | Buffer };

function form(parts: readonly Part[]): Buffer {
  const chunks = parts.map(({ name, file, content }) => {
    const fileName = file === undefined ? '' : `; filename="${file}"`;
    return Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

async function send(parts: readonly Part[], caller = admin) {
  const headers = { ...caller.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const {
    status,
    body,
    headers: responseHeaders,
  } = await api.call('POST', '/api/app/firebase-configuration', { headers, body: form(parts) });
  return { status, body, responseHeaders };
}
const upload = async (appId: number | string, content: string | Buffer, file = 'acme.json', caller = admin) =>
  send(
    [
      { name: 'appId', content: String(appId) },
      { name: 'configuration', file, content },
    ],
    caller,
  );
const findRow = async (id: number) =>
  databases.db
    .selectFrom('apps')
    .select(['push_file_sealed', 'push_file_name', 'push_file_project', 'push_file_at', 'version', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const trail = async (id: number) =>
  databases.db.selectFrom('audit_entries').selectAll().where('entity', '=', 'firebase').where('app_id', '=', id).orderBy('id').execute();
const refusalOf = (status: number, message: string) => ({ status, body: { success: false, message } });
const misfit = (errors: Record<string, string>) => {
  const fieldErrors = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
  return {
    status: 422,
    body: { success: false, message: 'The given data was invalid.', errors: fieldErrors, data: { errors: fieldErrors } },
  };
};
const expectRefused = async (answer: Promise<Awaited<ReturnType<typeof send>>>, due: { status: number; body: unknown }) => {
  const { status, body } = await answer;
  expect({ status, body }).toEqual(due);
};

describe('POST app/firebase-configuration', () => {
  it('[PUSHF-004][PUSHF-011][API-021][ENT-007] stores the file sealed and answers its name and project, never its content', async () => {
    const app = await createApp(databases);
    const answer = await upload(app.id, JSON.stringify(account));
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { fileName: 'acme.json', projectId: 'acme-1', updated_at: '2026-11-20 10:11:12' } },
    ]);
    const row = await findRow(app.id);
    expect(row.push_file_sealed).not.toContain('canary');
    const openedFile = testKeys.open(row.push_file_sealed ?? '', { table: 'apps', column: 'push_file_sealed', id: app.id });
    expect(JSON.parse(openedFile)).toEqual(account);
    const fullApp = await api.call('GET', `/api/apps/${app.id}`, admin);
    expect(fullApp.body.data.firebase_settings).toEqual(answer.body.data);
    expect(JSON.stringify([fullApp.body, api.log()])).not.toContain('canary');
  });

  it.each([
    [
      { ...account, client_email: 'push@acme-1.example' },
      { kind: 'service_account', project: 'acme-1', can_send: true },
    ],
    [account, { kind: 'service_account', project: 'acme-1', can_send: false }],
    [
      { project_info: { project_id: 'field' }, client: [{}] },
      { kind: 'google_services', project: 'field', can_send: false },
    ],
    [
      { type: 'authorized_user', refresh_token: 'canary' },
      { kind: 'user_credentials', project: null, can_send: false },
    ],
    [
      { __proto__: null, project_id: 'x\0' },
      { kind: 'unknown', project: null, can_send: false },
    ],
  ])('[PUSHF-012] names what the file is, and whether it can send: %s', async (content, expected) => {
    const app = await createApp(databases);
    const describeFile = async () => api.call('GET', `/api/apps/${app.id}/push-file`, admin);
    expect((await describeFile()).body).toEqual({ success: true, data: null });
    expect((await upload(app.id, JSON.stringify(content))).status).toBe(200);
    expect((await describeFile()).body).toEqual({ success: true, data: expected });
  });

  it('replaces the file, keeps the version of the app, and leaves only names in the trail', async () => {
    const app = await createApp(databases);
    await upload(app.id, JSON.stringify(account));
    await upload(app.id, JSON.stringify({ private_key: key }), 'other.json');
    expect(await findRow(app.id)).toMatchObject({ push_file_name: 'other.json', push_file_project: null, version: 1 });
    const entries = await trail(app.id);
    expect(entries).toMatchObject([
      { action: 'upload', entity_id: String(app.id), actor_id: admin.accountId },
      {
        changes: [
          { field: 'configuration', from: null, to: null },
          { field: 'fileName', from: 'acme.json', to: 'other.json' },
          { field: 'projectId', from: 'acme-1', to: null },
        ],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('canary');
  });

  it('[PUSHF-006] takes files that end in .json, of exactly 1 MiB, with or without a byte order mark', async () => {
    const app = await createApp(databases);
    const filler = JSON.stringify({ a: '' }).length;
    for (const [name, content] of [
      ['ACME.JSON', '{}'],
      ['full.json', JSON.stringify({ a: 'x'.repeat(mebibyte - filler) })],
      ['marked.json', '\uFEFF{"project_id":"p"}'],
      ['proto.json', '{"__proto__":{"project_id":"evil","token_uri":"https://evil.example"}}'],
    ] as const)
      expect((await upload(app.id, content, name)).status, name).toBe(200);
    expect(await findRow(app.id)).toMatchObject({ push_file_name: 'proto.json', push_file_project: null });
  });

  it('rejects every other file by the text of its rule and stores nothing', async () => {
    const app = await createApp(databases);
    const object = 'The file must contain a JSON object.';
    const twice = 'The file must not contain the same key twice.';
    const uri = 'The token_uri of the file is not allowed.';
    const cases: [string, string | Buffer, string][] = [
      ['acme.txt', '{}', 'The file must be a .json file.'],
      ['json', '{}', 'The file must be a .json file.'],
      ['acme.json.exe', 'x'.repeat(mebibyte + 1), 'The file must be a .json file.'],
      ['acme.json', JSON.stringify({ a: 'x'.repeat(mebibyte - 7) }), 'The file must not be larger than 1 MiB.'],
      ['acme.json', '', object],
      ['acme.json', '[]', object],
      ['acme.json', 'null', object],
      ['acme.json', '"text"', object],
      ['acme.json', '{"a":1', object],
      ['acme.json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), object],
      ['acme.json', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, object],
      ['acme.json', '{"token_uri":"https://oauth2.googleapis.com.evil.example/token"}', uri],
      ['acme.json', '{"token_uri":"https://oauth2.googleapis.com/token/"}', uri],
      ['acme.json', '{"token_uri":null}', uri],
      ['acme.json', '{"token_uri":["https://oauth2.googleapis.com/token"]}', uri],
      ['acme.json', '{"token_uri":"https://oauth2.googleapis.com/token","token_uri":"https://evil.example"}', twice],
      ['acme.json', '{"\\u0074oken_uri":"https://evil.example"}', uri],
    ];
    for (const [name, content, text] of cases) await expectRefused(upload(app.id, content, name), misfit({ configuration: text }));
    expect(await findRow(app.id)).toMatchObject({ push_file_sealed: null, push_file_at: null });
    expect(await trail(app.id)).toEqual([]);
  });

  it('[S44] rejects a key that occurs twice in any object, however it is written, and accepts the same key in two objects', async () => {
    const app = await createApp(databases);
    const twice = misfit({ configuration: 'The file must not contain the same key twice.' });
    for (const content of [
      '{"token_uri":"https://evil.example","token_uri":"https://oauth2.googleapis.com/token"}',
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"a":{"b":1,"c":{},"b":2}}',
      '{"a":[1,{"b":"x","c":["b"],"b":2}]}',
      '{"":1,"b":[],"":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"a\\"":1, "a\\"" : 2}',
    ])
      await expectRefused(upload(app.id, content), twice);
    expect(await findRow(app.id)).toMatchObject({ push_file_sealed: null });
    for (const content of [
      '{"a":{"b":1},"b":{"b":{"a":1}},"c":[{"a":1},{"a":2}]}',
      '{"a":"a","b":["a","a","b"],"c":",\\"a\\":1","A":"{"}',
      JSON.stringify({ a: '\\'.repeat(400_000) }),
    ])
      expect((await upload(app.id, content)).status, content.slice(0, 60)).toBe(200);
  });

  it('names every failing field of the form', async () => {
    const app = await createApp(databases);
    const file = { name: 'configuration', file: 'a.json', content: '{}' };
    const id = { name: 'appId', content: String(app.id) };
    const requiredMessage = 'The configuration field is required.';
    const cases: [Part[], Record<string, string>][] = [
      [[], { appId: 'The appId field is required.', configuration: requiredMessage }],
      [[id], { configuration: requiredMessage }],
      [[id, { name: 'configuration', content: '{}' }], { configuration: requiredMessage }],
      [[id, { name: 'configuration', file: '', content: '' }], { configuration: requiredMessage }],
      [[id, file, file], { configuration: 'Only one file is allowed.' }],
      [[id, file, { name: 'configuration', content: '' }], { configuration: 'Only one file is allowed.' }],
      [[id, file, { name: 'other', file: 'b.json', content: '{}' }], { other: 'Unknown field.' }],
      [[file], { appId: 'The appId field is required.' }],
      [[{ name: 'appId', content: 'abc' }, file], { appId: 'The selected appId is invalid.' }],
      [[{ name: 'appId', content: '-1' }, file], { appId: 'The selected appId is invalid.' }],
      [[id, id, file], { appId: 'The appId field must be of type string.' }],
      [[{ ...file, file: 'a.txt' }], { appId: 'The appId field is required.', configuration: 'The file must be a .json file.' }],
    ];
    for (const [parts, errors] of cases) await expectRefused(send(parts), misfit(errors));
  });

  it('[PUSHF-008] checks in the order of the contract: shape, app, archived, file', async () => {
    const archivedApp = await createApp(databases, { deleted_at: new Date() });
    const conflict = refusalOf(409, 'You need to restore the app first to make changes');
    await expectRefused(upload(archivedApp.id, '{}'), conflict);
    await expectRefused(upload(archivedApp.id, 'no JSON'), conflict);
    await expectRefused(
      send([{ name: 'appId', content: String(archivedApp.id) }]),
      misfit({ configuration: 'The configuration field is required.' }),
    );
    for (const nobody of ['0', '999999999', '007', '99999999999999999999'])
      await expectRefused(upload(nobody, 'no JSON'), refusalOf(404, 'Not found'));
    expect(await findRow(archivedApp.id)).toMatchObject({ push_file_sealed: null });
  });

  it('[PUSHF-007][PERM-028] needs manager_app_push_setting, and an app within the scope', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const editor = await signInAs(databases, { permissions: ['manager_app_edit', 'manager_app_create'], since: api.now() });
    await expectRefused(upload(own.id, '{}', 'a.json', editor), refusalOf(403, 'You have no permission for this action'));
    const keeper = await signInAs(databases, { permissions: ['manager_app_push_setting'], apps: [own.id], since: api.now() });
    expect((await upload(own.id, '{}', 'a.json', keeper)).status).toBe(200);
    await expectRefused(upload(foreign.id, '{}', 'a.json', keeper), refusalOf(404, 'Not found'));
  });

  it('rejects a body that is no form, is incomplete or is too large', async () => {
    const app = await createApp(databases);
    const url = '/api/app/firebase-configuration';
    const json = await api.call('POST', url, { ...admin, body: { appId: app.id } });
    expect([json.status, json.body.message]).toEqual([415, 'Unsupported media type']);
    const whole = form([
      { name: 'appId', content: String(app.id) },
      { name: 'configuration', file: 'a.json', content: '{}' },
    ]);
    const headers = { ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
    const cutBody = await api.call('POST', url, { headers, body: whole.subarray(0, -30) });
    expect([cutBody.status, cutBody.body.message]).toEqual([400, 'Malformed request body']);
    expect((await upload(app.id, Buffer.alloc(5 * mebibyte, 0x20))).status).toBe(413);
    const stranger = await api.call('POST', url, { headers: { 'content-type': headers['content-type'] }, body: whole });
    expect(stranger.status).toBe(401);
    expect(await findRow(app.id)).toMatchObject({ push_file_sealed: null });
  });

  it('keeps the base name of a path, at most 255 characters, still ending as it did', async () => {
    const app = await createApp(databases);
    const cases: [string, string][] = [
      ['C:\\keys\\acme.json', 'acme.json'],
      ['../../etc/acme.json', 'acme.json'],
      ['ключ 鍵.json', 'ключ 鍵.json'],
      [`${'n'.repeat(300)}.json`, `${'n'.repeat(250)}.json`],
    ];
    for (const [sentName, storedName] of cases) expect((await upload(app.id, '{}', sentName)).body.data.fileName).toBe(storedName);
  });
});
