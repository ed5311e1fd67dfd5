import { ActionIcon, Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import classes from './plain-buttons.module.css';

const unstyled = `${UnstyledButton.classes['root'] ?? ''} mantine-focus-auto`;
const root = `${unstyled} mantine-active`;

/**
 * Class names with which plain elements look like the kit's components. Tables have hundreds of them, and each component of the kit
 * takes as long to render as twenty elements. Their colour is their `data-tone`, neutral without one.
 */
export const plainClasses = {
  /** `UnstyledButton`. */
  unstyled,
  /** `ActionIcon` with variant `subtle`; `data-size` is `sm`, else `md`. */
  icon: `${root} ${ActionIcon.classes['root'] ?? ''} mantine-ActionIcon-root ${classes['icon'] ?? ''}`,
  /** `Button` with variant `light` and size `compact-xs`, and its parts. */
  button: {
    root: `${root} ${Button.classes['root'] ?? ''} mantine-Button-root ${classes['compact'] ?? ''}`,
    inner: Button.classes['inner'],
    section: Button.classes['section'],
    label: `${Button.classes['label'] ?? ''} mantine-Button-label`,
  },
  /** `VisuallyHidden`. */
  hidden: VisuallyHidden.classes['root'],
} as const;
