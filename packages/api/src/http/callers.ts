import type { SessionUser } from '@switchyard/contract/session';
import type { AppScope } from '../traffic-store/traffic-store.ts';

/** A signed-in account, read afresh for this request (S6). */
export type AccountCaller = { kind: 'account'; sessionId: number; account: SessionUser; scope: AppScope };

/** A traffic server that showed its token. */
export type ServerCaller = { kind: 'traffic-server'; serverId: number; serverName: string };
