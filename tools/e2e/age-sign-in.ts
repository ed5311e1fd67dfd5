import { withRunDatabase } from '../console/run-database.ts';
import type { RunState } from '../console/run-state.ts';

/** Moves the sign-in of every session of an account an hour back, in the database of the run. */
export async function ageSignIn({ dataDir }: Pick<RunState, 'dataDir'>, email: string): Promise<void> {
  await withRunDatabase(dataDir, async (client) => {
    const { rowCount } = await client.query(
      `update sessions set authenticated_at = now() - interval '1 hour'
       where account_id = (select id from accounts where email = $1)`,
      [email],
    );
    if (rowCount !== 1) throw new Error(`${email} has ${rowCount ?? 0} sessions`);
  });
}
