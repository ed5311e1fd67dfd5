import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { servesTokens, type Endpoint } from '@switchyard/contract/endpoint';
import { holdsAny, permissionCatalogue, permissionId } from '@switchyard/contract/permissions';
import { expect, it } from 'vitest';
import { missingOf, presetIds, tokenPresets } from './token-presets.ts';

const every = permissionCatalogue.map(({ label }) => label);
const preset = (wanted: string) => tokenPresets.find(({ name }) => name === wanted) ?? { name: '', permissions: [] };

it('[PERMX-006] admits a token that may only read to no call that writes', () => {
  const endpoints: readonly Endpoint[] = allEndpoints;
  const writes = endpoints.filter(
    ({ method, access }) =>
      method !== 'GET' && servesTokens(access) && access.kind === 'permissions' && holdsAny(preset('Read only').permissions, access.anyOf),
  );
  expect(writes.map(({ number }) => number)).toEqual([]);
});

it('[PERMX-006] gives what the account holds, and names the rest', () => {
  const [first = every[0], ...others] = preset('Ingestion checks').permissions;
  const held = every.filter((label) => label !== first);
  expect(presetIds(preset('Ingestion checks'), held)).toEqual(others.map(permissionId).toSorted((a, b) => a - b));
  expect(missingOf(preset('Ingestion checks'), held)).toEqual([first]);
});
