import type { AsnOfAddress } from '@switchyard/contract/request-by-id';
import { withMarks } from '../shared/ui/hidden-characters.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { ValueMenu } from './value-menu.tsx';

/** The number of an autonomous system with a menu, and its name; `-` for none. */
export function AsnValue({ asn }: { asn: AsnOfAddress }) {
  if (asn === null) return '-';
  const code = `AS${asn.code}`;
  const name = asn.name === '' ? asn.domain : asn.name;
  return (
    <>
      <ValueMenu kind="asn" value={String(asn.code)} text={code} meaning={name} copyText={code}>
        <span className="mono">{code}</span>
      </ValueMenu>{' '}
      <span title={withMarks(name)}>
        <VisibleText text={name} />
      </span>
    </>
  );
}
