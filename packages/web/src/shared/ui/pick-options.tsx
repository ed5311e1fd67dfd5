import { Combobox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './pick-list.module.css';
import { VisibleText } from './visible-text.tsx';

/** An option: its value, the name that is shown and searched, and an optional icon. */
export type PickOption<Value extends string> = { value: Value; name: string; icon?: ReactNode };

const optionHeight = 32;

type Props = {
  id: string;
  label: string;
  options: readonly PickOption<string>[];
  pickedValues: readonly string[];
  /** Boxes mark the picked options; else a check mark the one. */
  isMany: boolean;
  /** The option that the keyboard has reached. */
  markedIndex: number;
  optionId: (index: number) => string;
  onToggle: (index: number) => void;
};

/** The options of a PickList that are in view; the marked one is always among them. */
export function PickOptions({ id, label, options, pickedValues, isMany, markedIndex, optionId, onToggle }: Props) {
  const viewport = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: options.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => optionHeight,
    overscan: 6,
  });

  useEffect(() => {
    if (markedIndex >= 0) virtualizer.scrollToIndex(markedIndex, { align: 'auto' });
  }, [markedIndex, virtualizer]);

  return (
    <Combobox.Options
      id={id}
      ref={viewport}
      className={classes['viewport'] ?? ''}
      aria-label={label}
      aria-multiselectable={isMany || undefined}
    >
      <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const option = options[index];
          if (option === undefined) return null;
          const isPicked = pickedValues.includes(option.value);
          return (
            <Combobox.Option
              key={option.value}
              id={optionId(index)}
              value={option.value}
              active={isPicked}
              selected={index === markedIndex}
              aria-selected={isPicked}
              aria-setsize={options.length}
              aria-posinset={index + 1}
              className={classes['option'] ?? ''}
              style={{ height: optionHeight, transform: `translateY(${start}px)` }}
              onClick={() => onToggle(index)}
            >
              {isMany && (
                <span className={classes['check']} data-picked={isPicked || undefined} aria-hidden>
                  {isPicked && <IconCheck size={12} stroke={3} />}
                </span>
              )}
              {option.icon}
              <span className={classes['name']}>
                <VisibleText text={option.name} />
              </span>
              {!isMany && isPicked && <IconCheck className={classes['chosen']} size={14} stroke={2.2} aria-hidden />}
            </Combobox.Option>
          );
        })}
      </div>
    </Combobox.Options>
  );
}
