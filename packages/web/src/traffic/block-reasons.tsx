import type { Block } from '@switchyard/contract/investigation';
import { PanelPart } from '../shared/json-panel/panel-part.tsx';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { useHoldsAny } from '../shared/session/use-session.ts';
import { useDisplayDate } from '../shared/time/server-time.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import classes from './request-panel.module.css';

/** The rules that block the address of a request; nothing where there are none. */
export function BlockReasons({ blocks }: { blocks: readonly Block[] }) {
  if (blocks.length === 0) return null;
  return (
    <PanelPart title="Why was it blocked?" tone="danger">
      <ul className={classes['blocks']}>
        {blocks.map((block) => (
          <BlockReason key={block.target} block={block} />
        ))}
      </ul>
    </PanelPart>
  );
}

const screens = {
  address: { name: 'Black IP', path: paths.blackIps },
  asn: { name: 'ASNs', path: paths.asns },
} as const;

function BlockReason({ block: { kind, target, name, applies_to: types, reason, at, actor } }: { block: Block }) {
  const displayDate = useDisplayDate();
  const mayOpen = useHoldsAny('manager_settings_asns');
  const screen = screens[kind];
  const since = [at !== null && displayDate(at), actor !== null && `by ${actor.name}`].filter((part) => part !== false);
  return (
    <li>
      <p className={classes['rule']}>
        <strong>{target}</strong> {name !== '' && <VisibleText text={name} />} is {kind === 'asn' ? 'banned' : 'on the black list'} for{' '}
        {types.join(' and ')}.
      </p>
      {reason !== null && reason !== '' && (
        <p className={classes['rule']}>
          Reason: <VisibleText text={reason} />
        </p>
      )}
      {(since.length > 0 || mayOpen) && (
        <p className={classes['since']}>
          {since.length > 0 && <VisibleText text={since.join(' ')} />}
          {mayOpen && <AppLink href={screen.path(target)}>Open in {screen.name}</AppLink>}
        </p>
      )}
    </li>
  );
}
