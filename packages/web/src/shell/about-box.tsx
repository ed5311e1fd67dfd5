import { Anchor } from '@mantine/core';
import { dataSources, type DataSource } from '@switchyard/contract/data-sources';
import type { ReactNode } from 'react';
import { useSettings } from '../shared/settings.ts';
import { Popup } from '../shared/ui/popup.tsx';
import classes from './about-box.module.css';

/** What this is, in which version, and under which licences it and what it is made of stand. */
export function AboutBox({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { productName, version } = useSettings();
  return (
    <Popup isOpen={isOpen} onClose={onClose} title={`About ${productName}`} width={520}>
      <dl className={classes['facts']}>
        <dt>Version</dt>
        <dd className="tabular">{version}</dd>
        <dt>Licence</dt>
        <dd>
          <Outside href="/licence.txt">MIT</Outside>
        </dd>
        <dt>Made with</dt>
        <dd>
          <Outside href="/licences.txt">Packages, icons, flags and typefaces with their licences</Outside>
        </dd>
      </dl>
      <h3 className={classes['heading']}>Open data</h3>
      <ul className={classes['sources']}>
        {dataSources.map((source) => (
          <Source key={source.text} source={source} />
        ))}
      </ul>
    </Popup>
  );
}

function Source({ source: { text, licence, licenceUrl, sources } }: { source: DataSource }) {
  return (
    <li>
      {text} (<Outside href={licenceUrl}>{licence}</Outside>)
      <div className={classes['dimmed']}>
        {sources.map(({ name, url }, nth) => (
          <span key={name}>
            {nth > 0 && ' · '}
            <Outside href={url}>{name}</Outside>
          </span>
        ))}
      </div>
    </li>
  );
}

/** Opens beside the console, so that nothing begun here is lost. */
function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}
