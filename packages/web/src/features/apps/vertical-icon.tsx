import { verticals } from '@switchyard/contract/apps';
import { IconBallFootball, IconCards, IconCoin, IconHelp, IconPokerChip, IconTrophy, type Icon } from '@tabler/icons-react';
import { createElement } from 'react';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import classes from './vertical-icon.module.css';

const icons = new Map<string, Icon>([
  ['bet', IconBallFootball],
  ['casino', IconPokerChip],
  ['social_casino', IconCards],
  ['fantasy', IconTrophy],
  ['finance', IconCoin],
]);

/** The verticals that a value names; one, several with commas between, or a list. */
export function verticalsOf(value: string | readonly string[]): string[] {
  return [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** The icon of a vertical, for use beside its name. */
export function VerticalPicture({ id }: { id: string }) {
  return (
    <span className={classes['icon']} data-vertical={icons.has(id) ? id : 'unknown'}>
      {createElement(icons.get(id) ?? IconHelp, { size: 17, stroke: 1.6, 'aria-hidden': true })}
    </span>
  );
}

/** One icon for each vertical; an unknown one is a question mark. */
export function VerticalIcons({ value }: { value: string | readonly string[] }) {
  return (
    <span className={classes['icons']}>
      {verticalsOf(value).map((id) => {
        const Picture = icons.get(id) ?? IconHelp;
        const name = verticals.find((vertical) => vertical.id === id)?.name ?? id;
        return (
          <HoverTooltip
            key={id}
            label={name}
            className={classes['tone'] ?? ''}
            attributes={{ 'data-vertical': icons.has(id) ? id : 'unknown', role: 'img', 'aria-label': name }}
          >
            <Picture size={17} stroke={1.6} aria-hidden />
          </HoverTooltip>
        );
      })}
    </span>
  );
}
