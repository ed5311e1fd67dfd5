import type { Page } from 'puppeteer-core';

/**
 * What a reader would frown at on the page as it stands, one line each: sideways scroll of the whole page, controls that
 * reach out of the window or lie under something else, parts of the header that overlap, and text that is cut without dots.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  // Runs in the page: it can use nothing from around it.
  return page.$eval('body', (body): string[] => {
    const document = body.ownerDocument;
    const window = document.defaultView;
    const faults: string[] = [];
    const width = document.documentElement.clientWidth;
    const height = window.innerHeight;
    const styleOf = (element: typeof body) => window.getComputedStyle(element);
    const wordsOf = (element: typeof body): string => {
      const words = element.getAttribute('aria-label') ?? element.innerText ?? '';
      return `${element.tagName.toLowerCase()} "${words.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}"`;
    };
    const isSeen = (element: typeof body): boolean => {
      const box = element.getBoundingClientRect();
      return box.width > 2 && box.height > 2 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    /** Whether an element stays in its place while the rest scrolls away beneath it, as headers, panels and save bars do. */
    const floats = (element: typeof body): boolean => {
      for (let above = element; above !== null && above !== document.documentElement; above = above.parentElement)
        if (/fixed|sticky/.test(styleOf(above).position)) return true;
      return false;
    };
    /** The part of an element that its scrolling and cutting ancestors leave to be seen. */
    const seenPart = (element: typeof body) => {
      const box = element.getBoundingClientRect();
      const part = { left: box.left, top: box.top, right: box.right, bottom: box.bottom, scrolls: false };
      for (let above = element.parentElement; above !== null && above !== document.documentElement; above = above.parentElement) {
        const style = styleOf(above);
        if (style.position === 'fixed') break;
        if (!/auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY)) continue;
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) part.scrolls = true;
        const outer = above.getBoundingClientRect();
        part.left = Math.max(part.left, outer.left);
        part.top = Math.max(part.top, outer.top);
        part.right = Math.min(part.right, outer.right);
        part.bottom = Math.min(part.bottom, outer.bottom);
      }
      return part;
    };

    /** Text for screen readers alone is cut down to a pixel. */
    const isForReaders = ({ left, right, top, bottom }: ReturnType<typeof seenPart>): boolean => right - left < 3 || bottom - top < 3;
    const hasPanel = [...document.querySelectorAll('aside, [role="complementary"]')].some(isSeen);

    if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    if (document.title.trim() === '') faults.push('the page has no title');

    const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"], [role="alertdialog"]')].filter(isSeen);
    const ground = dialogs.at(-1) ?? body;
    const controls = [...ground.querySelectorAll('a[href], button, input:not([type="hidden"]), select, textarea, [role="tab"], summary')];
    for (const control of controls.filter(isSeen)) {
      const box = control.getBoundingClientRect();
      const part = seenPart(control);
      if (isForReaders(part)) continue;
      if (!part.scrolls && (box.left < -1 || box.right > width + 1)) faults.push(`${wordsOf(control)} reaches out of the window`);
      if (!part.scrolls && (part.right - part.left < box.width - 2 || part.bottom - part.top < box.height - 2))
        faults.push(`${wordsOf(control)} is cut off`);
      const x = (part.left + part.right) / 2;
      const y = (part.top + part.bottom) / 2;
      if (part.right - part.left < 4 || part.bottom - part.top < 4 || x < 0 || x >= width || y < 0 || y >= height) continue;
      const top = document.elementFromPoint(x, y);
      const own = control.closest('label') ?? control.parentElement ?? control;
      if (top === null || control.contains(top) || top.contains(control) || own.contains(top)) continue;
      // A panel beside or over a list is meant to cover some of it.
      if (top.closest('aside, [role="complementary"]') !== null && control.closest('aside, [role="complementary"]') === null) continue;
      // A column under the one that stays is reached by scrolling the table; below 1140 px and beside a panel no table is wide enough for all.
      if ((hasPanel || width < 1140) && top.closest('th, td') !== null) continue;
      if (!floats(top) || floats(control)) faults.push(`${wordsOf(control)} lies under ${wordsOf(top)}`);
    }

    const parts = [...document.querySelectorAll('header[data-screen-only] a, header[data-screen-only] button, header [data-testid]')];
    const seenParts = parts.filter(isSeen);
    for (const [index, part] of seenParts.entries()) {
      for (const other of seenParts.slice(index + 1)) {
        if (part.contains(other) || other.contains(part)) continue;
        const [a, b] = [part.getBoundingClientRect(), other.getBoundingClientRect()];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1) faults.push(`in the header ${wordsOf(part)} overlaps ${wordsOf(other)}`);
      }
    }

    for (const element of ground.querySelectorAll('*')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
      if (!hasText || !isSeen(element)) continue;
      const style = styleOf(element);
      // Nothing cuts what runs within a line, whatever overflow it is given; Firefox measures it all the same.
      const isBox = style.display !== 'inline';
      const cuts = isBox && /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
      const cutsDown = isBox && /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 2;
      if (cuts && style.textOverflow !== 'ellipsis') faults.push(`${wordsOf(element)} is cut without dots`);
      if (cutsDown && style.webkitLineClamp === 'none') faults.push(`${wordsOf(element)} is cut at its foot`);
      const part = seenPart(element);
      const box = element.getBoundingClientRect();
      if (isForReaders(part)) continue;
      // What runs within a line ends with the dots of the box around it.
      let line = element;
      while (styleOf(line).display === 'inline' && line.parentElement !== null) line = line.parentElement;
      if (!part.scrolls && styleOf(line).textOverflow !== 'ellipsis' && part.right - part.left < box.width - 2)
        faults.push(`${wordsOf(element)} is cut by what holds it`);
    }
    return [...new Set(faults)];
  });
}
