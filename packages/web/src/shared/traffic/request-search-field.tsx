import type { ComponentProps } from 'react';
import { SearchField } from '../listing/search-field.tsx';

type Props = Omit<ComponentProps<typeof SearchField>, 'placeholder' | 'maxLength'>;

/** The search of a list of requests: what it looks for, and the longest text that may be looked for (api 0.13). */
export function RequestSearchField(props: Props) {
  return <SearchField {...props} placeholder="search by client uid or ip" maxLength={100} />;
}
