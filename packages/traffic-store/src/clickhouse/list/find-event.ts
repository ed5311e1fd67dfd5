import type { AppScope } from '@switchyard/contract/app-scope';
import { parseListed, type UnnamedEvent } from '../../event-fields.ts';
import type { EngineClient } from '../engine-client.ts';
import { countedConditions } from '../event-conditions.ts';
import { newParameters, using } from '../statement.ts';

/** The event with an id, or nothing. The index `by_id` leaves a few granules to read. */
export async function findEvent(engine: EngineClient, { id, scope }: { id: number; scope: AppScope }): Promise<UnnamedEvent[]> {
  const parameters = newParameters();
  const conditions = [`id = ${parameters.add(id, 'UInt64')}`, ...countedConditions({ scope }, parameters)];
  return parseListed(
    await engine.lines({ text: `select row from events where ${conditions.join(' and ')} limit 1 ${using(null)}`, parameters }),
  );
}

/** The least id of all stored events. */
export async function findOldestId(engine: EngineClient): Promise<number | null> {
  const text = `select min(id) from events having count() > 0 ${using('by_hour')}`;
  const [id] = await engine.lines({ text, parameters: newParameters() });
  return id === undefined ? null : Number(id);
}
