import { botLabel } from '@switchyard/contract/requests';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import classes from './traffic.module.css';

/** The blocked-traffic tags of a request, each with its meaning in a tooltip (WID-073 to WID-078, REQ-016). */
export function BotLabels({ bot }: { bot: string }) {
  const tags = bot.split(' ').filter((tag) => tag !== '');
  if (tags.length === 0) return null;
  return (
    <span className={classes['tags']}>
      {tags.map((tag) => {
        const { description, tone } = botLabel(tag);
        return (
          <HoverTooltip key={tag} label={description} isFocusable>
            <span className={classes['tag']} data-tone={tone}>
              {tag}
            </span>
          </HoverTooltip>
        );
      })}
    </span>
  );
}
