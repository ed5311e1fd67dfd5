import { Button, Checkbox, Menu } from '@mantine/core';
import { proxyCacheSeconds, responseCodes, responseEntries } from '@switchyard/contract/app-rules';
import { verticals } from '@switchyard/contract/apps';
import { bulkRuleOf, type BulkChange } from '@switchyard/contract/bulk';
import { listPickBuyers, listPickServers } from '@switchyard/contract/pick-lists';
import { holdsAny } from '@switchyard/contract/permissions';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../../../shared/api/call.ts';
import { actionNames } from '../../../shared/bulk/bulk-texts.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { Dropdown, PickMany } from '../../../shared/ui/pick-list.tsx';
import { Popup } from '../../../shared/ui/popup.tsx';

const actions = [
  'app.archive',
  'app.restore',
  'app.set',
  'app.link',
  'app.unlink',
  'app.add_buyers',
  'app.remove_buyers',
  'app.add_staff',
  'app.remove_staff',
] as const;
type AppAction = (typeof actions)[number];

/** The bulk actions on apps that the account may take. */
export function useAppBulkActions() {
  const permissions = useSessionUser()?.permissions ?? [];
  return actions.filter((action) => holdsAny(permissions, bulkRuleOf(action).needs));
}

type Props = { onChoose: (title: string, change: BulkChange) => void };

/** The menu of actions on the selected apps; those with parameters ask for them first. */
export function AppBulkMenu({ onChoose }: Props) {
  const allowedActions = useAppBulkActions();
  const [form, setForm] = useState<AppAction | null>(null);
  return (
    <>
      <Menu position="bottom-start" shadow="md" transitionProps={{ duration: 120 }}>
        <Menu.Target>
          <Button size="compact-sm">Actions</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {allowedActions.map((action) =>
            action === 'app.archive' || action === 'app.restore' ? (
              <Menu.Item key={action} onClick={() => onChoose(actionNames[action], { action, params: {} })}>
                {actionNames[action]}
              </Menu.Item>
            ) : (
              <Menu.Item key={action} onClick={() => setForm(action)}>
                {actionNames[action]}…
              </Menu.Item>
            ),
          )}
        </Menu.Dropdown>
      </Menu>
      {form !== null && (
        <Popup isOpen onClose={() => setForm(null)} title={actionNames[form]}>
          <ParamsForm
            action={form}
            onCancel={() => setForm(null)}
            onSubmit={(change) => {
              setForm(null);
              onChoose(actionNames[form], change);
            }}
          />
        </Popup>
      )}
    </>
  );
}

type FormProps = { action: AppAction; onSubmit: (change: BulkChange) => void; onCancel: () => void };

function ParamsForm({ action, ...props }: FormProps) {
  if (action === 'app.set') return <FieldsForm {...props} />;
  if (action === 'app.link' || action === 'app.unlink') return <ServerForm action={action} {...props} />;
  if (action === 'app.add_buyers' || action === 'app.remove_buyers' || action === 'app.add_staff' || action === 'app.remove_staff')
    return <AccountsForm action={action} {...props} />;
  return null;
}

const verticalOptions = verticals.map(({ id, name }) => ({ value: id, name }));
const cacheOptions = proxyCacheSeconds.map((seconds) => ({ value: String(seconds), name: `${seconds} s` }));
const codeOptions = responseCodes.map((code) => ({ value: String(code), name: String(code) }));
const entryNames = { static: 'Static response code', create: 'Create response code', receive: 'Receive response code' } as const;
type Code = (typeof responseCodes)[number];

function FieldsForm({ onSubmit, onCancel }: Omit<FormProps, 'action'>) {
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

function ServerForm({ action, onSubmit, onCancel }: Omit<FormProps, 'action'> & { action: 'app.link' | 'app.unlink' }) {
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

type AccountsAction = 'app.add_buyers' | 'app.remove_buyers' | 'app.add_staff' | 'app.remove_staff';

function AccountsForm({ action, onSubmit, onCancel }: Omit<FormProps, 'action'> & { action: AccountsAction }) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const isStaff = action === 'app.add_staff' || action === 'app.remove_staff';
  const { data, isError, refetch } = useQuery({
    queryKey: ['bulk-accounts', isStaff],
    queryFn: async ({ signal }) => {
      const { data: accounts } = await call(isStaff ? listPickUsers : listPickBuyers, { signal, ...inBackground });
      return accounts.map(({ id, name }) => ({ value: String(id), name }));
    },
  });
  return (
    <DialogForm
      submitLabel="Check"
      isEnabled={picked.length > 0}
      onCancel={onCancel}
      onSubmit={() => onSubmit({ action, params: { ids: picked.map(Number) } })}
    >
      <PickMany
        label={isStaff ? 'Staff' : 'Buyers'}
        placeholder="Select"
        options={data ?? []}
        onRetry={isError ? () => void refetch() : undefined}
        value={picked}
        onChange={setPicked}
        width={280}
      />
    </DialogForm>
  );
}
