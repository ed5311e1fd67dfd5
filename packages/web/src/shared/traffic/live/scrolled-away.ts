/** Pixels by which a list may be scrolled and still count as at its top. */
const tolerance = 4;

/** The boxes in a list that scroll by themselves: its table does, its cards do not. */
function scrolledBoxes(list: Element): Element[] {
  return [...list.children, ...[...list.children].flatMap((child) => [...child.children])].filter((box) => box.scrollTop > tolerance);
}

/** Whether the reader has left the top of a list, whose table scrolls in itself and whose cards scroll with the page. */
export function isScrolledAway(list: Element): boolean {
  return scrolledBoxes(list).length > 0 || list.getBoundingClientRect().top < 0;
}

/** Brings the top of a list back into view. */
export function scrollToTop(list: Element): void {
  for (const box of scrolledBoxes(list)) box.scrollTo({ top: 0 });
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' });
}
