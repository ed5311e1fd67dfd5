import { Center, Loader } from '@mantine/core';

/** A spinner in place of a page whose code or data is on its way (SHELL-038). */
export function PageLoading() {
  return (
    <Center component="output" mih="50dvh" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}
