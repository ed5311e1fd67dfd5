/** The package has no types of its own, and those of `@types/punycode` belong to a module of Node with the same name. */
declare module 'punycode.js' {
  const punycode: { toUnicode(domain: string): string };
  export default punycode;
}
