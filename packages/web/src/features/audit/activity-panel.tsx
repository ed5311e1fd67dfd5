import { ActionIcon, Button } from '@mantine/core';
import { type AuditQuery, type AuditRow, auditEntityNames } from '@switchyard/contract/audit';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePanelWidth } from '../../shared/json-panel/use-panel-width.ts';
import type { RowMark } from '../../shared/listing/list-row.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { CopyIcon } from '../../shared/ui/copy.tsx';
import { SidePanel } from '../../shared/ui/side-panel.tsx';
import { ActionLabel } from './action-label.tsx';
import classes from './activity.module.css';
import { actorName, entityName, viaNames } from './audit-words.ts';
import { ChangesView } from './changes-view.tsx';
import { entityPath } from './entity-path.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { Fact } from '../../shared/ui/fact.tsx';

type Props = {
  row: AuditRow;
  /** Says that the entry was changed or added outside the console. */
  mark: RowMark | undefined;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
  /** Narrows the list to more of the same. */
  onNarrow: (filters: Partial<AuditQuery>) => void;
};

/** One change beside the list: who, when, from where, and what it was before and after. */
export function ActivityPanel({ row, mark, onClose, onStep, onNarrow }: Props) {
  const [width, resize] = usePanelWidth();
  const displayDate = useDisplayDate();
  const { actor, via, entity_id: id } = row;
  const entity = auditEntityNames.find((name) => name === row.entity);
  return (
    <SidePanel
      title={`Activity ${row.id}`}
      width={width}
      onResize={resize}
      onClose={onClose}
      onStep={onStep}
      headExtra={
        <>
          <StepButton label="Activity above" keyName="Up" onClick={() => onStep(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </StepButton>
          <StepButton label="Activity below" keyName="Down" onClick={() => onStep(1)}>
            <IconChevronDown size={16} aria-hidden />
          </StepButton>
          <CopyIcon text={() => JSON.stringify(row, null, 2)} label="Copy activity as JSON" />
        </>
      }
    >
      {mark !== undefined && <p className={classes['outside']}>{mark.meaning}</p>}
      <div className={classes['headline']}>
        <ActionLabel action={row.action} />
        <Entity row={row} />
      </div>
      <dl className={classes['facts']}>
        <Fact name="Who">
          <VisibleText text={actorName(row)} />
          {actor !== null && (
            <span className={classes['dimmed']}>
              <VisibleText text={actor.email} />
            </span>
          )}
        </Fact>
        {via !== null && (
          <Fact name="Through">
            <span>
              {viaNames[via.kind]} <VisibleText text={via.name} />
              {via.id !== null && <span className={classes['dimmed']}> #{via.id}</span>}
            </span>
          </Fact>
        )}
        <Fact name="When">
          <span className="tabular">{displayDate(row.at)}</span>
        </Fact>
        <Fact name="IP">
          <span className={classes['code']}>{row.ip ?? '-'}</span>
        </Fact>
        <Fact name="Id">
          <span className={classes['code']}>{id ?? '-'}</span>
        </Fact>
        <Fact name="Request id">
          <span className={classes['code']}>{row.request_id ?? '-'}</span>
          {row.request_id !== null && <CopyIcon text={row.request_id} label="Copy request id" />}
        </Fact>
      </dl>
      <div className={classes['narrow']}>
        {entity !== undefined && id !== null && (
          <Button size="compact-sm" variant="default" onClick={() => onNarrow({ ...otherFilters, entity: [entity], entityId: id })}>
            Everything done to this
          </Button>
        )}
        {actor !== null && (
          <Button size="compact-sm" variant="default" onClick={() => onNarrow({ ...otherFilters, actor: actor.id })}>
            Everything by <VisibleText text={actor.name} />
          </Button>
        )}
        {via !== null && via.id !== null && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onNarrow({ ...otherFilters, via: [via.kind], viaId: via.id ?? undefined })}
          >
            Everything through <VisibleText text={via.name} />
          </Button>
        )}
      </div>
      <ChangesView changes={row.changes} />
    </SidePanel>
  );
}

/** Narrowing begins from all rows. */
const otherFilters: Partial<AuditQuery> = {
  search: undefined,
  actor: undefined,
  action: undefined,
  entity: undefined,
  entityId: undefined,
  via: undefined,
  viaId: undefined,
  near: undefined,
  startDate: undefined,
  endDate: undefined,
};

function Entity({ row }: { row: AuditRow }) {
  const permissions = useSessionUser()?.permissions ?? [];
  const path = entityPath(row, permissions);
  const label = row.entity_label ?? row.entity_id;
  return (
    <span className={classes['subject']}>
      {entityName(row.entity)}{' '}
      {label !== null &&
        (path === null ? (
          <strong>
            <VisibleText text={label} />
          </strong>
        ) : (
          <AppLink href={path}>
            <VisibleText text={label} />
          </AppLink>
        ))}
    </span>
  );
}

type StepButtonProps = { label: string; keyName: string; onClick: () => void; children: ReactNode };

function StepButton({ label, keyName, onClick, children }: StepButtonProps) {
  return (
    <ActionIcon variant="subtle" color="neutral" aria-label={label} title={`${label} (${keyName})`} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
