/**
 * Ref of the first field of a form that replaces another one, where the focus has to be set. Apart from the sign-in, which has
 * its own: a module that both use would load this page's code with the sign-in page.
 */
export const focusFirst = (element: HTMLElement | null): void => element?.focus();
