import { Skeleton } from '@mantine/core';
import { saveServer, trafficServer, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { ConflictResolver, type Conflict } from '../../shared/form/conflict/conflict-resolver.tsx';
import { currentOf } from '../../shared/form/conflict/current-of.ts';
import { differencesOf } from '../../shared/form/conflict/differences.ts';
import { mergeParts } from '../../shared/form/conflict/three-states.ts';
import { useGoBack, useIdParam, useRouteTitle } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { ServerForm } from './server-form.tsx';
import { forgetServers, useServer } from './server-query.ts';
import { serverFields, toBody, valuesOf, type ServerValues } from './server-values.ts';

type ServerConflict = Conflict<TrafficServer, ServerValues>;
const currentServer = (error: unknown): TrafficServer | null => currentOf(error, trafficServer);
const statesOf = ({ loaded, current, values }: ServerConflict) => ({ loaded: valuesOf(loaded), theirs: valuesOf(current), mine: values });

async function save(known: TrafficServer, values: ServerValues): Promise<TrafficServer> {
  const { url, ...others } = toBody(values);
  const { data } = await call(saveServer, {
    params: { id: known.id },
    // An url that was saved before today's rules must not keep the other fields from being saved.
    body: url === known.url ? others : { ...others, url },
    ifMatch: known.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** The edit page of the server that the address names (SRV-016 to SRV-018). */
export function EditServerPage() {
  const id = useIdParam();
  return id === null ? <GoneBack isMissing /> : <LoadedServerPage key={id} id={id} />;
}

function LoadedServerPage({ id }: { id: number }) {
  const { data, error } = useServer(id);
  if (data !== undefined) return <EditServer loaded={data.data} />;
  // Whoever is no longer signed in is on the way to the login page.
  if (error === null || (error instanceof CallError && error.status === 401)) return <Loading />;
  return <GoneBack isMissing={error instanceof CallError && error.status === 404} />;
}

/** A server that cannot be loaded: back one page. That it is missing no toast has said (ERR-010). */
function GoneBack({ isMissing }: { isMissing: boolean }) {
  const goBack = useGoBack();
  const leave = useEffectEvent(() => {
    if (isMissing) notify({ type: 'danger', message: 'There is no such server' });
    goBack(paths.servers());
  });
  useEffect(() => leave(), []);
  return <Loading />;
}

function Loading() {
  return (
    <Frame>
      <output aria-label="Loading">
        <Skeleton height={280} radius="lg" />
      </output>
    </Frame>
  );
}

function Frame({ name, children }: { name?: string; children: ReactNode }) {
  const title = useRouteTitle();
  return (
    <Page
      title="Servers"
      titleHref={paths.servers()}
      documentTitle={title}
      crumbs={[{ label: name === undefined ? title : `${title}: ${name}` }]}
    >
      {children}
    </Page>
  );
}

function EditServer({ loaded }: { loaded: TrafficServer }) {
  const [server, setServer] = useState(loaded);
  const [conflict, setConflict] = useState<ServerConflict | null>(null);
  const [saved, setSaved] = useState<TrafficServer | null>(null);
  const goBack = useGoBack();

  const saveOrAsk = async (values: ServerValues): Promise<TrafficServer> => {
    try {
      return await save(server, values);
    } catch (error) {
      const current = currentServer(error);
      if (current !== null) setConflict({ loaded: server, current, values });
      throw error;
    }
  };
  const leave = useEffectEvent(({ name }: TrafficServer) => {
    notify({ type: 'success', message: `Server "${name}" saved` });
    void forgetServers();
    goBack(paths.servers());
  });
  // Only once the form has begun anew from what is saved: until then it would ask before it is left.
  useEffect(() => {
    if (saved !== null) leave(saved);
  }, [saved]);
  return (
    <Frame name={server.name}>
      <ServerForm key={server.version} server={server} save={saveOrAsk} onSaved={setSaved} />
      <ConflictResolver
        noun="server"
        conflict={conflict}
        differences={(shown) => differencesOf(statesOf(shown), serverFields)}
        save={(shown) => save(shown.current, mergeParts(statesOf(shown)))}
        currentOf={currentServer}
        onClose={() => setConflict(null)}
        onConflict={setConflict}
        onFailed={() => undefined}
        onLoad={(current) => {
          setConflict(null);
          setServer(current);
        }}
        onSaved={(next) => {
          setConflict(null);
          setServer(next);
          setSaved(next);
        }}
      />
    </Frame>
  );
}
