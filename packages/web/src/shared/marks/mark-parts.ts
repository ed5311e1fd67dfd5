/** What charts load of marks, in one file. */
export { MarkLayer } from './mark-layer.tsx';
export { MarksMenu } from './marks-menu.tsx';
