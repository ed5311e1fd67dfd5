import { botLabel } from '@switchyard/contract/requests';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import { ValueMenu } from './value-menu.tsx';
import classes from './traffic.module.css';

type Props = {
  /** Tags with spaces between. */
  bot: string;
  /** The most labels to show; the last one then counts the rest and has their meanings in its tooltip. */
  most?: number;
};

/** The bot labels of a request, each with its meaning in a tooltip and a menu. */
export function BotLabels({ bot, most = Infinity }: Props) {
  const tags = bot.split(' ').filter((tag) => tag !== '');
  if (tags.length === 0) return null;
  const shownCount = tags.length > most ? most - 1 : tags.length;
  const further = tags.slice(shownCount);
  return (
    <span className={classes['tags']}>
      {tags.slice(0, shownCount).map((tag) => {
        const { description, tone } = botLabel(tag);
        return (
          <HoverTooltip key={tag} label={description}>
            <ValueMenu kind="bot" value={tag} meaning={description}>
              <span className={classes['tag']} data-tone={tone}>
                {tag}
              </span>
            </ValueMenu>
          </HoverTooltip>
        );
      })}
      {further.length > 0 && (
        <HoverTooltip label={<span className={classes['meanings']}>{meaningsOf(further)}</span>} isFocusable>
          <span className={classes['tag']}>+{further.length}</span>
        </HoverTooltip>
      )}
    </span>
  );
}

/** Meanings of several tags, one on a line. */
function meaningsOf(tags: readonly string[]): string {
  return tags.map((tag) => `${tag}: ${botLabel(tag).description}`).join('\n');
}
