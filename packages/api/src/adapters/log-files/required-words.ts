const quantifier = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const groupStart = /\((?:\?(?:P?<\w+>|[imsU-]*[:)]))?/y;
const characterClass = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/sy;
/** A class, a boundary or a character by its code. */
const escape = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-9]+|[A-PR-Za-z])/sy;
const escapedSign = /\\([^A-Za-z0-9])/suy;

/** Words of which each match has at least one; null if there are none. */
type Words = readonly string[] | null;

/**
 * Words of which every match of a valid RE2 expression has at least one, in any case; null if there are none. Reads the longest run of plain
 * characters that has to occur, of each choice.
 */
export function requiredWords(expression: string): Words {
  let at = 0;
  /** Whether the expression has syntax that is not read here. */
  const state = { isUnknown: false };

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(expression);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  /** How often the part before has to occur at least; null: once, because nothing repeats it. */
  function takeRepetition(): number | null {
    let least: number | null = null;
    for (let found = take(quantifier); found !== null; found = take(quantifier)) {
      const own = found[1] === undefined ? Number(found[0].startsWith('+')) : Number(found[1]);
      least = Math.min(least ?? own, own);
    }
    return least;
  }

  function takeChoice(): Words {
    const choices = [takeSequence()];
    while (expression[at] === '|') {
      at += 1;
      choices.push(takeSequence());
    }
    return choices.includes(null) ? null : choices.flatMap((words) => words ?? []);
  }

  function takeSequence(): Words {
    let best: Words = null;
    let run = '';
    const consider = (words: Words): void => {
      if (words !== null && shortest(words) > shortest(best ?? [])) best = words;
    };
    const endRun = (): void => {
      consider(run === '' ? null : [run]);
      run = '';
    };
    while (at < expression.length && !state.isUnknown) {
      const character = String.fromCodePoint(expression.codePointAt(at) ?? 0);
      if (character === '|' || character === ')') break;
      const sign = take(escapedSign)?.[1];
      if (sign === undefined && '([\\.^$'.includes(character)) {
        endRun();
        consider(takePart(character));
        continue;
      }
      if (sign === undefined) at += character.length;
      const least = takeRepetition();
      if (least !== 0) run += sign ?? character;
      if (least !== null) endRun();
    }
    endRun();
    return best;
  }

  /** A group, a class, an escape or a sign with a meaning, with its repetition. */
  function takePart(character: string): Words {
    if (character === '(') {
      const start = take(groupStart)?.[0] ?? '';
      if (start === '' || (start === '(' && expression[at] === '?')) state.isUnknown = true;
      if (start.endsWith(')')) return null;
      const words = takeChoice();
      at += 1;
      return takeRepetition() === 0 ? null : words;
    }
    if (character === '[' || character === '\\') {
      if (take(character === '[' ? characterClass : escape) === null) state.isUnknown = true;
    } else {
      at += 1;
    }
    takeRepetition();
    return null;
  }

  const words = takeChoice();
  return state.isUnknown || at < expression.length ? null : words;
}

function shortest(words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map((word) => word.length));
}
