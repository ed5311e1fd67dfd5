import type { SessionUser } from '@switchyard/contract/session';
import { Anchor } from '@mantine/core';
import { IconArrowRight, IconLockAccess, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { useSettings } from '../../shared/settings.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { Attention, attentionCards, seesAttention } from './attention.tsx';
import classes from './home-page.module.css';
import { InvalidDomains } from './invalid-domains.tsx';
import { Losses } from './losses.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

type Section = { readonly label: string; readonly href: string; readonly icon: Icon; readonly summary: string };

/** A part of Home as a card of its board. */
export type BoardCard = ReturnType<typeof attentionCards>[number];
/** The board of Home: a line above it, and its cards beside the pinned reports. */
export type Board = (line: ReactNode, cards: readonly BoardCard[]) => ReactNode;

type Props = { user: SessionUser; sections: readonly Section[]; board: Board | null };

/** The landing page: a welcome, the board or what needs attention, and a card for each section the account may open. */
export function HomePage({ user, sections, board }: Props) {
  const welcome = (
    <div className={classes['welcome']}>
      Welcome, <VisibleText text={user.name} />.
    </div>
  );
  return (
    <Page>
      {board === null && welcome}
      {sections.length === 0 && <NoSections isBuyer={user.panel === 'buyer'} />}
      {board !== null ? board(welcome, attentionCards(user)) : seesAttention(user) && <Attention user={user} />}
      {user.permissions.includes('manager_app_edit_domain_bundle') && <InvalidDomains />}
      <Losses />
      <ul className={classes['cards']} aria-label="Sections" data-screen-only>
        {sections.map((section) => (
          <li key={section.href}>
            <SectionCard section={section} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

function SectionCard({ section }: { section: Section }) {
  const SectionIcon = section.icon;
  return (
    <AppLink href={section.href} className={classes['card'] ?? ''}>
      <span className={classes['icon']}>
        <SectionIcon size={18} stroke={1.7} aria-hidden />
      </span>
      <span>
        <span className={classes['name']}>{section.label}</span>
        <br />
        <span className="note">{section.summary}</span>
      </span>
      <IconArrowRight className={classes['arrow'] ?? ''} size={16} aria-hidden />
    </AppLink>
  );
}

/** Shown to accounts that may open no page here. Buyers work in their own panel. */
function NoSections({ isBuyer }: { isBuyer: boolean }) {
  const { buyerPanelUrl } = useSettings();
  const link = isBuyer && buyerPanelUrl !== null ? <Anchor href={buyerPanelUrl}>Open the buyer panel</Anchor> : undefined;
  return (
    <StatePanel icon={IconLockAccess} title="No sections available" {...(link === undefined ? {} : { action: link })}>
      {!isBuyer
        ? 'Ask an administrator for a role that opens a section.'
        : link === undefined
          ? 'Ask your manager for the address of the buyer panel, where you handle streams and pushes.'
          : 'Streams and pushes are managed in the buyer panel.'}
    </StatePanel>
  );
}
