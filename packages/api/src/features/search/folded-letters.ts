/**
 * Letters and marks with the Latin letters that search takes them for. Trigrams know no punctuation, and none but ASCII letters where the
 * database has the locale C, as the embedded one has. Without the letters, those of "com." are in every address that ends with "com".
 * The stored words are folded alike (migration 0020), so a change needs a migration.
 */
export const foldedLetters = [
  [` .@-_/:+,&'()%#!?*|\\[]{}^$`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў', 'abvgdeejziiklmnoprstufhccwwxyxeuaiiegu'],
  ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ', 'abgdezhqiklmnxoprsstyfcvwaehioyw'],
  [
    'àáâãäåāăąæçćčďđèéêëēęěğģìíîïīįıķĺļľłñńņňòóôõöøőœŕřśšşșßťţțùúûüūůűųýÿźžż',
    'aaaaaaaaaacccddeeeeeeeggiiiiiiikllllnnnnoooooooorrssssstttuuuuuuuuyyzzz',
  ],
] as const;
