import { Checkbox } from '@mantine/core';
import { proxyCacheSeconds, responseCodes, responseEntries } from '@switchyard/contract/app-rules';
import { verticals } from '@switchyard/contract/apps';
import { listPickServers } from '@switchyard/contract/pick-lists';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allBuyers } from '../../../shared/accounts/pick-sources.ts';
import { call, inBackground } from '../../../shared/api/call.ts';
import type { BulkFormProps, BulkItem } from '../../../shared/bulk/bulk-menu.tsx';
import { actionNames } from '../../../shared/bulk/bulk-texts.ts';
import { PickForm } from '../../../shared/bulk/pick-form.tsx';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { durationText } from '../configurator/app-model.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';

type AccountsAction = 'app.add_buyers' | 'app.remove_buyers' | 'app.add_staff' | 'app.remove_staff';

const verticalOptions = verticals.map(({ id, name }) => ({ value: id, name }));
const cacheOptions = proxyCacheSeconds.map((seconds) => ({ value: String(seconds), name: durationText(seconds) }));
const codeOptions = responseCodes.map((code) => ({ value: String(code), name: String(code) }));
const entryNames = { static: 'Static response code', create: 'Create response code', receive: 'Receive response code' } as const;
type Code = (typeof responseCodes)[number];

function FieldsForm({ onSubmit, onCancel }: BulkFormProps) {
  const [vertical, setVertical] = useState<(typeof verticals)[number]['id'] | undefined>(undefined);
  const [cache, setCache] = useState<string | undefined>(undefined);
  const [codes, setCodes] = useState<Partial<Record<(typeof responseEntries)[number], { code: Code }>>>({});
  const seconds = proxyCacheSeconds.find((known) => String(known) === cache);
  const hasCodes = Object.keys(codes).length > 0;
  return (
    <DialogForm
      submitLabel="Check"
      isEnabled={vertical !== undefined || seconds !== undefined || hasCodes}
      onCancel={onCancel}
      onSubmit={() =>
        onSubmit({
          action: 'app.set',
          params: {
            ...(vertical === undefined ? {} : { vertical }),
            ...(seconds === undefined ? {} : { proxy_cache_seconds: seconds }),
            ...(hasCodes ? { response_message: codes } : {}),
          },
        })
      }
    >
      <Dropdown
        label="Vertical"
        placeholder="Unchanged"
        isClearable
        options={verticalOptions}
        value={vertical}
        onChange={setVertical}
        width={280}
      />
      <Dropdown
        label="Proxy cache"
        placeholder="Unchanged"
        isClearable
        options={cacheOptions}
        value={cache}
        onChange={setCache}
        width={280}
      />
      {responseEntries.map((entry) => (
        <Dropdown
          key={entry}
          label={entryNames[entry]}
          placeholder="Unchanged"
          isClearable
          options={codeOptions}
          value={codes[entry] === undefined ? undefined : String(codes[entry].code)}
          onChange={(text) => {
            const { [entry]: _former, ...others } = codes;
            const code = responseCodes.find((known) => String(known) === text);
            setCodes(code === undefined ? others : { ...others, [entry]: { code } });
          }}
          width={280}
        />
      ))}
    </DialogForm>
  );
}

function ServerForm({ action, onSubmit, onCancel }: BulkFormProps & { action: 'app.link' | 'app.unlink' }) {
  const [server, setServer] = useState<string | undefined>(undefined);
  const [isOnlyCF, setOnlyCF] = useState(false);
  const { data, isError, refetch } = useQuery({
    queryKey: ['bulk-servers'],
    queryFn: ({ signal }) => call(listPickServers, { signal, ...inBackground }),
  });
  const serverId = Number(server);
  return (
    <DialogForm
      submitLabel="Check"
      isEnabled={server !== undefined}
      onCancel={onCancel}
      onSubmit={() => onSubmit(action === 'app.link' ? { action, params: { serverId, isOnlyCF } } : { action, params: { serverId } })}
    >
      <Dropdown
        label="Server"
        options={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), name }))}
        onRetry={isError ? () => void refetch() : undefined}
        value={server}
        onChange={setServer}
        width={280}
      />
      {action === 'app.link' && (
        <Checkbox label="Cloudflare only" checked={isOnlyCF} onChange={({ currentTarget }) => setOnlyCF(currentTarget.checked)} />
      )}
    </DialogForm>
  );
}

function AccountsForm({ action, onSubmit, onCancel }: BulkFormProps & { action: AccountsAction }) {
  const isStaff = action === 'app.add_staff' || action === 'app.remove_staff';
  const { data, isError, refetch } = useQuery({
    queryKey: ['bulk-staff'],
    queryFn: ({ signal }) => call(listPickUsers, { signal, ...inBackground }),
    enabled: isStaff,
  });
  const staff = (data?.data ?? []).map(({ id, name }) => ({ value: String(id), name }));
  return (
    <PickForm
      label={isStaff ? 'Staff' : 'Buyers'}
      options={isStaff ? staff : allBuyers}
      onRetry={isError ? () => void refetch() : undefined}
      onCancel={onCancel}
      onSubmit={(ids) => onSubmit({ action, params: { ids } })}
    />
  );
}

/** The bulk actions on apps. */
export const appBulkItems: readonly BulkItem[] = [
  { label: actionNames['app.archive'], change: { action: 'app.archive', params: {} } },
  { label: actionNames['app.restore'], change: { action: 'app.restore', params: {} } },
  { label: actionNames['app.set'], action: 'app.set', Form: FieldsForm },
  ...(['app.link', 'app.unlink'] as const).map((action) => ({
    label: actionNames[action],
    action,
    Form: (props: BulkFormProps) => <ServerForm action={action} {...props} />,
  })),
  ...(['app.add_buyers', 'app.remove_buyers', 'app.add_staff', 'app.remove_staff'] as const).map((action) => ({
    label: actionNames[action],
    action,
    Form: (props: BulkFormProps) => <AccountsForm action={action} {...props} />,
  })),
];
