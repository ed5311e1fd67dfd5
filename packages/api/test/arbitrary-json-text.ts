import fc from 'fast-check';

const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n  ');
/** Numbers of which JavaScript holds few exactly. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt().map(String),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1E400',
    '1e-400',
    '19.90',
    '9007199254740993',
    '3.141592653589793238462643',
    '1.5E+3',
    '18446744073709551616',
  ),
);
const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((one) => JSON.stringify(one).slice(1, -1)),
  fc.constantFrom('a', '7', ',', ':', '{', ']', ' ', String.raw`\"`, '\\\\', String.raw`\/`, String.raw`\u0041`, String.raw`\u0000`),
  fc.constantFrom(String.raw`\ud800`, String.raw`\uD83D\ude00`, String.raw`\u0022`, String.raw`\n`),
);
const string = fc.array(character, { maxLength: 6 }).map((characters) => `"${characters.join('')}"`);
const key = fc.oneof(
  string,
  fc.constantFrom('"a"', '"b"', '"10"', '"2"', '"-1"', '"__proto__"', '"constructor"', '"prototype"', '"toJSON"', '""'),
);

/**
 * Any JSON text: numbers of any digits, repeated keys, keys in any order, every form of escape, white space. `compact` has no white
 * space between its parts.
 */
export const arbitraryJsonText: fc.Arbitrary<{ text: string; compact: string }> = fc.letrec<{ value: Written; scalar: Written }>((tie) => ({
  scalar: fc.oneof(number, string, fc.constantFrom('true', 'false', 'null')).map((text) => ({ text, compact: text })),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('scalar'),
    written('[', ']', fc.array(tie('value'), { maxLength: 4 })),
    written(
      '{',
      '}',
      fc.array(
        fc.tuple(key, space, space, tie('value')).map(([name, before, after, { text, compact }]) => ({
          text: `${name}${before}:${after}${text}`,
          compact: `${name}:${compact}`,
        })),
        { maxLength: 4 },
      ),
    ),
  ),
})).value;

type Written = { text: string; compact: string };

function written(open: string, close: string, parts: fc.Arbitrary<Written[]>): fc.Arbitrary<Written> {
  return fc.tuple(space, space, parts).map(([before, after, list]) => ({
    text: `${open}${before}${list.map(({ text }) => text).join(`${after},${before}`)}${after}${close}`,
    compact: `${open}${list.map(({ compact }) => compact).join(',')}${close}`,
  }));
}
