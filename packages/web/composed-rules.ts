import type { UserConfig } from 'vite';

type PostcssOptions = Exclude<NonNullable<NonNullable<UserConfig['css']>['postcss']>, string>;
type CssPlugin = Extract<NonNullable<PostcssOptions['plugins']>[number], { postcssPlugin: string }>;

/**
 * Files that a class is composed from are parsed without their names, of which every build and test run warned. Rules from
 * there count as those of the file that composes them; they name no assets that could be looked for beside the wrong file.
 */
export const composedRules: CssPlugin = {
  postcssPlugin: 'composed-rules',
  OnceExit(root) {
    root.walkDecls((declaration) => {
      if (root.source !== undefined) declaration.source ??= root.source;
    });
  },
};
