import { Kbd, Switch } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../../shared/external-store.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import type { GoTarget } from '../menu.ts';
import classes from './shortcut-help.module.css';
import { commandKey, isShortcutHelpOpen } from './use-shortcuts.ts';

type Line = { keys: readonly string[]; text: string };

const inLists: readonly Line[] = [
  { keys: ['/'], text: 'Search' },
  { keys: ['j'], text: 'Next row' },
  { keys: ['k'], text: 'Previous row' },
  { keys: ['Enter'], text: 'Open the row' },
  { keys: ['x'], text: 'Select the row' },
  { keys: ['e'], text: 'Next error of a log' },
  { keys: ['Esc'], text: 'Close the panel' },
  { keys: ['['], text: 'Previous page' },
  { keys: [']'], text: 'Next page' },
];

const anywhere: readonly Line[] = [
  { keys: [commandKey, 'K'], text: 'Find anything' },
  { keys: [commandKey, 'S'], text: 'Save the form' },
  { keys: ['?'], text: 'Show this list' },
];

/** The list of shortcuts, with the switch for those of a single key. */
export default function ShortcutHelp({ targets }: { targets: readonly GoTarget[] }) {
  const isOpen = useStore(isShortcutHelpOpen);
  return (
    <Popup isOpen={isOpen} onClose={() => isShortcutHelpOpen.set(false)} title="Keyboard shortcuts" width={620}>
      <div className={classes['groups']}>
        <Group name="Lists" lines={inLists} />
        <Group name="Everywhere" lines={anywhere} />
        <Group name="Pages" lines={targets.map(({ letter, label }) => ({ keys: ['g', letter], text: label }))} />
      </div>
      <SingleKeySwitch />
    </Popup>
  );
}

function Group({ name, lines }: { name: string; lines: readonly Line[] }) {
  return (
    <section className={classes['group']} aria-label={name}>
      <h3>{name}</h3>
      <dl>
        {lines.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Stored on the device; screen readers and speech input need the single keys for themselves. */
function SingleKeySwitch() {
  const [isOn, setOn] = useState(() => localSettings.singleKeys.get() ?? true);
  return (
    <Switch
      label="Single-key shortcuts"
      aria-label="Single-key shortcuts"
      description={`Shortcuts with ${commandKey} always work.`}
      checked={isOn}
      onChange={(event) => {
        const isWanted = event.currentTarget.checked;
        localSettings.singleKeys.set(isWanted);
        setOn(isWanted);
      }}
    />
  );
}
