import type { Block } from '@switchyard/contract/request-by-id';
import type { RequestRow } from '@switchyard/contract/requests';
import { PanelPart } from '../shared/json-panel/panel-part.tsx';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { useHoldsAny } from '../shared/session/use-session.ts';
import { useDisplayDate } from '../shared/time/server-time.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import classes from './request-panel.module.css';

/** The rules that block the address of a request now, and whether they applied when it came. Nothing if there are none. */
export function BlockReasons({ blocks, request }: { blocks: readonly Block[]; request: BlockedRequest }) {
  if (blocks.length === 0) return null;
  return (
    <PanelPart title="Rules that block this address now" tone="danger">
      <ul className={classes['blocks']}>
        {blocks.map((block) => (
          <BlockReason key={block.target} block={block} request={request} />
        ))}
      </ul>
    </PanelPart>
  );
}

type BlockedRequest = Pick<RequestRow, 'type' | 'date'>;

const screens = {
  address: { name: 'Black IP', path: paths.blackIps },
  network: { name: 'Black IP', path: paths.blackIps },
  asn: { name: 'ASNs', path: paths.asns },
} as const;

function BlockReason({ block, request }: { block: Block; request: BlockedRequest }) {
  const { kind, target, name, applies_to: types, reason } = block;
  const displayDate = useDisplayDate();
  const mayOpen = useHoldsAny('manager_settings_asns');
  const screen = screens[kind];
  const since = sinceText(block, displayDate);
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
      <p className={classes['rule']}>{effectText(block, request)}</p>
      {(since !== '' || mayOpen) && (
        <p className={classes['since']}>
          {since !== '' && <VisibleText text={since} />}
          {mayOpen && <AppLink href={screen.path(target)}>Open in {screen.name}</AppLink>}
        </p>
      )}
    </li>
  );
}

/** Since when a rule blocks, for each type where they differ, and its last change; empty where nothing is known. */
export function sinceText({ applies_to: types, since, at, actor }: Block, displayDate: (text: string) => string): string {
  const times = new Set(types.map((type) => since[type]));
  const [first] = times;
  const isSame = times.size === 1;
  const whole = typeof first === 'string' ? [`since ${displayDate(first)}`] : [];
  const parts = isSame ? whole : types.flatMap((type) => (since[type] === null ? [] : [`${type} since ${displayDate(since[type])}`]));
  const by = actor === null ? '' : ` by ${actor.name}`;
  const isChanged = at !== null && !(isSame && first === at);
  const text = [...parts, ...(isChanged ? [`changed ${displayDate(at)}`] : [])].join(', ') + by;
  return text.trim().replace(/^./, (letter) => letter.toUpperCase());
}

/** Whether a rule applies to a request, and applied when it came. The latter only if it is known. */
function effectText({ applies_to: types, since }: Block, { type, date }: BlockedRequest): string {
  const appliedType = types.find((one) => one === type);
  if (appliedType === undefined) return `It does not apply to ${type} requests such as this one.`;
  const start = since[appliedType];
  if (start === null) return `It applies to ${type} requests such as this one.`;
  return start <= date
    ? `It applies to ${type} requests and was in force when this one came.`
    : `It applies to ${type} requests, but was not in force yet when this one came.`;
}
