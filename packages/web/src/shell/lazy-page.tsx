import { Button } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { StatePanel } from '../shared/ui/state-panel.tsx';
import { PageLoading } from './page-states.tsx';
import { recoverFromStaleChunk } from './stale-chunk.ts';

/**
 * Creates the page shown when the code of a page could not be loaded. Recovery starts when the page is mounted,
 * because pointing at a link only preloads it.
 */
function createUnloadedPage(reason: string): () => ReactNode {
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
        The server is unavailable, or the console is being updated. Wait a moment and load it again.
      </StatePanel>
    );
  };
}

/** A page or tab whose code is loaded when it is opened or its link is pointed at. */
export function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyRouteComponent(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return await load();
    } catch (error) {
      return { default: createUnloadedPage(error instanceof Error ? error.message : 'unknown') };
    }
  });
}
