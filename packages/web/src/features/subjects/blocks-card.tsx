import { Button, Group } from '@mantine/core';
import type { Block } from '@switchyard/contract/request-by-id';
import type { AddressSummary } from '@switchyard/contract/subjects';
import { IconBan, IconCircleCheck } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { BanFacts } from '../../shared/blocks/ban-toggle.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { Fact } from '../../shared/ui/fact.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './subjects.module.css';
import { sinceText } from '../../traffic/block-reasons.tsx';
import { Card } from './summary-cards.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';

/** Deletes an address from the black list; few readers of the page do. */
async function freeAddress(ip: string, onChange: () => void): Promise<void> {
  const { removeIp } = await import('../../shared/blocks/remove-ip.ts');
  await removeIp(ip, onChange);
}

const AddIpsPopup = lazy(async () => ({ default: (await import('../../shared/blocks/add-ips-popup.tsx')).AddIpsPopup }));

type Props = {
  summary: AddressSummary;
  /** Reads the summary again after a block has changed. */
  onChange: () => Promise<void>;
};

/** Whether the address is on the black list, by whom and why; bans and frees it. */
export function BlackListCard({ summary: { ip, blocked_by: blocks, may_block: mayBlock }, onChange }: Props) {
  /** Null until it is opened first. */
  const [isAdding, setAdding] = useState<boolean | null>(null);
  const block = blocks.find(({ kind }) => kind === 'address');
  const networks = blocks.filter(({ kind }) => kind === 'network');
  return (
    <Card title="Black list">
      <p className={classes['state']} data-blocked={block !== undefined || undefined}>
        {block === undefined ? 'Not on the black list' : 'On the black list'}
      </p>
      {block !== undefined && <BlockFacts block={block} />}
      {networks.map((network) => (
        <div key={network.target}>
          <p className={classes['state']} data-blocked>
            In the black-listed network{' '}
            {mayBlock ? <AppLink href={paths.blackIps(network.target)}>{network.target}</AppLink> : network.target}
          </p>
          <BlockFacts block={network} />
        </div>
      ))}
      {mayBlock && (
        <Group gap={8} mt={8}>
          {block === undefined ? (
            <Writes>
              <Button
                size="xs"
                variant="light"
                color="danger"
                leftSection={<IconBan size={14} aria-hidden />}
                onClick={() => setAdding(true)}
              >
                Ban address
              </Button>
            </Writes>
          ) : (
            <>
              <Writes>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconCircleCheck size={14} aria-hidden />}
                  onClick={() => void freeAddress(ip, () => void onChange())}
                >
                  Free address
                </Button>
              </Writes>
              <AppLink href={paths.blackIps(ip)} className={classes['more'] ?? ''}>
                Open in Black IP
              </AppLink>
            </>
          )}
        </Group>
      )}
      {isAdding !== null && (
        <Suspense fallback={null}>
          <AddIpsPopup isOpen={isAdding} onClose={() => setAdding(false)} ip={ip} onAdded={() => void onChange()} />
        </Suspense>
      )}
    </Card>
  );
}

/** The autonomous system of the address with its bans, which the toggles change. */
export function AsnCard({ summary: { asn, blocked_by: blocks, may_block: mayBlock }, onChange }: Props) {
  if (asn === null) {
    return (
      <Card title="Autonomous system">
        <p className={classes['state']}>Not in the registry</p>
      </Card>
    );
  }
  const block = blocks.find(({ kind }) => kind === 'asn');
  const bannedTypes = [asn.is_ban_create && 'create', asn.is_ban_receive && 'receive'].filter((type) => type !== false);
  return (
    <Card title="Autonomous system">
      <p className={classes['state']}>
        {mayBlock ? <AppLink href={paths.asns(`AS${asn.code}`)}>AS{asn.code}</AppLink> : `AS${asn.code}`} <VisibleText text={asn.name} />
      </p>
      <p className={classes['note']}>
        <VisibleText text={asn.domain} />
      </p>
      <p className={classes['state']} data-blocked={bannedTypes.length > 0 || undefined}>
        {bannedTypes.length === 0 ? 'Not banned' : `Banned for ${bannedTypes.join(' and ')}`}
      </p>
      {block !== undefined && <BlockFacts block={block} />}
      {mayBlock && (
        <dl className={classes['facts']}>
          <BanFacts row={asn} onSaved={onChange} />
        </dl>
      )}
    </Card>
  );
}

/** Since when a rule applies, who changed it last, and why, as far as it is known and the reader may see it. */
function BlockFacts({ block }: { block: Block }) {
  const displayDate = useDisplayDate();
  const since = sinceText(block, displayDate);
  const { reason } = block;
  return (
    <dl className={classes['facts']}>
      {since !== '' && (
        <Fact name="Rule">
          <VisibleText text={since} />
        </Fact>
      )}
      {reason !== null && reason !== '' && (
        <Fact name="Reason">
          <VisibleText text={reason} />
        </Fact>
      )}
    </dl>
  );
}

/** The rules on addresses of a block and on autonomous systems with addresses in it. */
export function RulesCard({ summary: { blocked_by: blocks, blocked_total: total, ip } }: { summary: AddressSummary }) {
  const displayDate = useDisplayDate();
  const mayOpen = useHoldsAny('manager_settings_asns');
  return (
    <Card title="Rules inside this block" count={total} isWide>
      {total === 0 && (
        <p className={classes['state']}>No address of {ip} is black-listed, and no autonomous system with addresses in it is banned.</p>
      )}
      <ul className={classes['list']}>
        {blocks.map((block) => (
          <li key={block.target} className={classes['item']}>
            <span className={classes['itemName']}>
              <span>
                {mayOpen ? (
                  <AppLink href={block.kind === 'asn' ? paths.asns(block.target) : paths.address(block.target)} className="mono">
                    {block.target}
                  </AppLink>
                ) : (
                  <span className="mono">{block.target}</span>
                )}{' '}
                <VisibleText text={block.name} />
              </span>
              <span className={classes['note']}>
                <VisibleText text={[sinceText(block, displayDate), block.reason ?? ''].filter((part) => part !== '').join(': ')} />
              </span>
            </span>
            <span className={classes['mark']} data-tone="danger">
              {block.kind === 'asn' ? `banned for ${block.applies_to.join(' and ')}` : 'black-listed'}
            </span>
          </li>
        ))}
      </ul>
      {total > blocks.length && <p className={classes['note']}>{groupedNumber(total - blocks.length)} further rules are not shown.</p>}
    </Card>
  );
}
