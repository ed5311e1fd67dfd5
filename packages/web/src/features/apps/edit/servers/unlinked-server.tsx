import { Button, Switch } from '@mantine/core';
import { linkTexts } from '@switchyard/contract/app-domains';
import type { CheckDomain } from '@switchyard/contract/apps';
import { cuts } from '@switchyard/contract/limits';
import type { PickedServer } from '@switchyard/contract/pick-lists';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSettings } from '../../../../shared/settings.ts';
import { BindIcon } from '../../../../shared/traffic/link-icons.tsx';
import { CutLabel } from '../../../../shared/ui/cut-label.tsx';
import classes from './servers.module.css';
import { useRowOfAction } from './use-row-of-action.ts';
import { withMarks } from '../../../../shared/ui/hidden-characters.ts';

type Props = {
  server: PickedServer;
  locked: string | null;
  isBusy: boolean;
  /** Whether the keyboard acted on this server last. */
  isActedOn: boolean;
  onCreate: (isOnlyCF: boolean) => void;
};

/** A link as it stands before there is one. */
function notAdded(server: PickedServer): CheckDomain {
  return {
    id: 0,
    server_id: server.id,
    server_name: server.name,
    is_bind: false,
    ssl_at: null,
    registrar: null,
    is_only_cf: false,
    status: 'add',
    error: null,
    next_stage_at: null,
  };
}

/** A server that the app is not linked to, and Create; the Cloudflare toggle stands unless the deployment hides it (DOM-005, DOM-014, DOM-015). */
export function UnlinkedServer({ server, locked, isBusy, isActedOn, onCreate }: Props) {
  const { hideOnlyCf } = useSettings();
  const [isOnlyCF, setIsOnlyCF] = useState(false);
  const row = useRowOfAction({ isActedOn, isBusy });
  return (
    <li ref={row} tabIndex={-1} className={classes['row']}>
      <span className={classes['icons']}>
        <BindIcon link={notAdded(server)} />
      </span>
      <span className={classes['server']}>
        <span className={classes['name']}>
          <CutLabel text={server.name} to={cuts.serverName} />
        </span>
        <span className={classes['facts']}>{server.ip !== null && <span className="mono">{server.ip}</span>}</span>
      </span>
      <span className={classes['state']}>
        {!hideOnlyCf && (
          <Switch
            size="sm"
            label={linkTexts.onlyCloudflare}
            aria-label={`${linkTexts.onlyCloudflare}: ${withMarks(server.name)}`}
            checked={isOnlyCF}
            disabled={locked !== null}
            onChange={(event) => setIsOnlyCF(event.currentTarget.checked)}
          />
        )}
      </span>
      <span className={classes['actions']}>
        <Button
          variant="light"
          leftSection={<IconPlus size={15} stroke={1.8} aria-hidden />}
          disabled={locked !== null || isBusy}
          title={locked ?? undefined}
          aria-label={`${linkTexts.create} ${withMarks(server.name)}`}
          onClick={() => onCreate(!hideOnlyCf && isOnlyCF)}
        >
          {linkTexts.create}
        </Button>
      </span>
    </li>
  );
}
