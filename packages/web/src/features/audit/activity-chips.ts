import type { AuditAction, AuditEntity } from '@switchyard/contract/audit';
import type { AuditQuery } from '@switchyard/contract/audit-trail';
import { manyChips, oneChip, type FilterChip } from '../../shared/listing/filter-chip.ts';
import { displayDay } from '../../shared/time/filter-day.ts';
import { actionWord, entityNames, hidesSignIns } from './audit-words.ts';

/** The filters of the activity in effect; `nameOf` names an account by its id. */
export function activityChips(query: AuditQuery, offset: string, nameOf: (id: number) => string): FilterChip<AuditQuery>[] {
  return [
    ...oneChip<AuditQuery>('Search', query.search, { search: undefined }),
    ...oneChip<AuditQuery>('Who', query.actor === undefined ? undefined : nameOf(query.actor), { actor: undefined }),
    ...oneChip<AuditQuery>('Sign-ins', hidesSignIns(query.action) ? 'Hidden' : undefined, { action: undefined }),
    ...manyChips<AuditQuery, AuditAction<AuditEntity>>(
      'Action',
      hidesSignIns(query.action) ? undefined : query.action,
      (action) => ({ action }),
      (action) => actionWord(action).name,
    ),
    ...manyChips<AuditQuery, AuditEntity>(
      'What',
      query.entity,
      (entity) => ({ entity }),
      (entity) => entityNames[entity],
    ),
    ...oneChip<AuditQuery>('Id', query.entityId, { entityId: undefined }),
    ...oneChip<AuditQuery>('From', displayDay(query.startDate, offset), { startDate: undefined }),
    ...oneChip<AuditQuery>('Until', displayDay(query.endDate, offset), { endDate: undefined }),
  ];
}
