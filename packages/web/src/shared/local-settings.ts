import { offsetMinutes, parseDateTime } from '@switchyard/contract/dates';
import { sessionToken, sessionUser } from '@switchyard/contract/session';
import { z } from 'zod';
import { isSafePath } from './session/safe-path.ts';

/** The prefix of every name in local storage. */
const prefix = 'switchyard_';

type StoragePart = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A stored value. Reading validates it, so an invalid value counts as absent. */
export type LocalSetting<T> = {
  readonly get: () => T | null;
  readonly set: (value: T) => void;
  readonly remove: () => void;
};

function isDate(text: string): boolean {
  try {
    parseDateTime(text);
    return true;
  } catch {
    return false;
  }
}

const schemas = {
  redirect: z.string().refine(isSafePath),
  startDate: z.string().refine(isDate),
  gmt: z.string().refine((offset) => offsetMinutes(offset) !== null),
  theme: z.enum(['light', 'dark']),
};

/** In-memory storage for browsers that forbid local storage. */
function memoryStorage(): StoragePart {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** Creates local settings over a storage. If the storage throws (disabled, full), values are kept in memory only. */
export function createLocalSettings(storage: StoragePart) {
  const overflow = memoryStorage();

  function read(key: string): string | null {
    const keptText = overflow.getItem(key);
    if (keptText !== null) return keptText;
    try {
      return storage.getItem(key);
    } catch {
      return null;
    }
  }

  function write(key: string, value: string): void {
    overflow.removeItem(key);
    try {
      storage.setItem(key, value);
    } catch {
      // A full storage still holds the previous value, which the next page load would read.
      erase(key);
      overflow.setItem(key, value);
    }
  }

  function erase(key: string): void {
    overflow.removeItem(key);
    try {
      storage.removeItem(key);
    } catch {
      // Nothing is stored then.
    }
  }

  /** A value kept as plain text. */
  function text<S extends z.ZodType<string>>(name: string, schema: S): LocalSetting<z.output<S>> {
    const key = prefix + name;
    return {
      get: () => schema.safeParse(read(key)).data ?? null,
      set: (value) => write(key, value),
      remove: () => erase(key),
    };
  }

  /** A value kept as JSON. */
  function json<S extends z.ZodType>(name: string, schema: S): LocalSetting<z.output<S>> {
    const key = prefix + name;
    return {
      get: () => {
        const raw = read(key);
        if (raw === null) return null;
        try {
          return schema.safeParse(JSON.parse(raw)).data ?? null;
        } catch {
          return null;
        }
      },
      set: (value) => write(key, JSON.stringify(value)),
      remove: () => erase(key),
    };
  }

  return {
    token: json('token', sessionToken),
    user: json('user', sessionUser),
    redirect: text('redirect', schemas.redirect),
    startDate: text('start_date', schemas.startDate),
    gmt: text('gmt', schemas.gmt),
    menuOpened: json('menu_opened', z.boolean()),
    theme: text('theme', schemas.theme),
    singleKeys: json('single_keys', z.boolean()),
    /** A further value of a feature, such as the columns it shows, kept as JSON. */
    json,
  };
}

export type LocalSettings = ReturnType<typeof createLocalSettings>;

function browserStorage(): StoragePart {
  try {
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

export const localSettings: LocalSettings = createLocalSettings(browserStorage());

/** Subscribes to changes of settings by other tabs; returns the unsubscribe function. */
export function onOtherTabChange(onChange: () => void): () => void {
  const listen = (event: StorageEvent): void => {
    if (event.key === null || event.key.startsWith(prefix)) onChange();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
