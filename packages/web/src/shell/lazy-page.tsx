import { Button } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { StatePanel } from '../shared/ui/state-panel.tsx';
import { PageLoading } from './page-loading.tsx';
import { recoverFromStaleChunk } from './stale-chunk.ts';

/** Stands in for a page whose code could not be loaded, and recovers once the page is really opened: pointing at a link only loads ahead. */
function unloaded(reason: string): () => ReactNode {
  return function UnloadedPage() {
    const [hasGivenUp, setHasGivenUp] = useState(false);
    useEffect(() => {
      void recoverFromStaleChunk(reason).then((outcome) => outcome === 'given-up' && setHasGivenUp(true));
    }, []);
    if (!hasGivenUp) return <PageLoading />;
    return (
      <StatePanel
        icon={IconCloudOff}
        title="This page could not be loaded"
        tone="danger"
        order={1}
        action={<Button onClick={() => window.location.reload()}>Load again</Button>}
      >
        The server is away, or the console is being updated. Wait a moment and load it again.
      </StatePanel>
    );
  };
}

/** A page, or a tab of one, whose code is loaded when it is opened or its link pointed at. */
export function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyRouteComponent(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return await load();
    } catch (error) {
      return { default: unloaded(error instanceof Error ? error.message : 'unknown') };
    }
  });
}
