import { Button, Title } from '@mantine/core';
import { dismissLosses, listLosses, type Loss } from '@switchyard/contract/losses';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { Writes } from '../../shared/ui/read-only.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './attention.module.css';

const lossesKey = ['losses'];

const kindNames: Readonly<Record<Loss['kind'], string>> = {
  view: 'Shared view',
  tile: 'Shared tile',
  board: 'Shared board',
  schedule: 'Scheduled report',
};

/** Shared things that ended with the account of their owner, until they are dismissed; nothing if there are none. */
export function Losses() {
  const cache = useQueryClient();
  const { data } = useQuery({ queryKey: lossesKey, queryFn: ({ signal }) => call(listLosses, { signal, ...inBackground }) });
  const losses = data?.data ?? [];
  const { mutate, isPending } = useMutation({
    mutationFn: async () => call(dismissLosses, { body: { ids: losses.map(({ id }) => id) } }),
    onSettled: async () => cache.invalidateQueries({ queryKey: lossesKey }),
  });
  if (losses.length === 0) return null;
  return (
    <section aria-labelledby="home-losses" className={classes['part']}>
      <Title order={2} id="home-losses" className={classes['heading'] ?? ''}>
        No longer shared with you
      </Title>
      <div className={classes['card']}>
        <ul className={classes['rows']}>
          {losses.map((loss) => (
            <li key={loss.id} className={classes['row']}>
              <span className={classes['name']}>
                <VisibleText text={loss.name} />
              </span>
              <span className={classes['detail']}>
                <VisibleText text={reasonOf(loss)} />
              </span>
            </li>
          ))}
        </ul>
        <Writes>
          <Button variant="default" size="xs" mt="xs" disabled={isPending} onClick={() => mutate()}>
            Dismiss
          </Button>
        </Writes>
      </div>
    </section>
  );
}

function reasonOf({ kind, owner_name: owner, was_default: wasDefault }: Loss): string {
  return `${kindNames[kind]}${wasDefault ? ', your default' : ''}. It ended because the account of ${owner} was deleted.`;
}
