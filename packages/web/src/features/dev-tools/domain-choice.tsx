import { Button } from '@mantine/core';
import { listPickApps } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { Dropdown } from '../../shared/ui/dropdown.tsx';
import classes from './dev-doc.module.css';

type Props = { value: string | undefined; onChange: (domain: string | undefined) => void; isDisabled: boolean };

/** Chooses the domain of an app that is not archived (DEV-006); found by domain and by name. */
export function DomainChoice({ value, onChange, isDisabled }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['apps', 'pick'],
    queryFn: ({ signal }) => call(listPickApps, { signal, isSilent: true }),
    staleTime: 0,
  });
  const apps = data?.data ?? [];
  return (
    <div>
      <Dropdown
        label="App domain"
        options={apps.map(({ domain, name }) => ({ value: domain, name: `${domain} (${name})` }))}
        value={value}
        onChange={onChange}
        placeholder={data === undefined ? 'Loading...' : 'Choose a domain'}
        width={280}
        isDisabled={isDisabled || data === undefined}
      />
      {error !== null && (
        <p className={classes['note']}>
          The apps could not be loaded.{' '}
          <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
