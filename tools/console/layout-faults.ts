import type { Page } from 'puppeteer-core';

/**
 * Layout defects of the current page, one line each: horizontal scrolling of the whole page, controls that reach out of the window
 * or are covered, parts of the header that overlap, text that is cut without dots, and text that runs over the edge of its control,
 * cell or box.
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
      const isDrawnNow = element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
      return box.width > 2 && box.height > 2 && isDrawnNow;
    };
    /** Whether an element keeps its place while the rest scrolls beneath it, as headers, panels and save bars do. */
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
    const seenWidth = (element: typeof body): number => seenPart(element).right - seenPart(element).left + 2;

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
      // A column under the one that stays is reached by scrolling the table.
      const table = control.closest('table');
      if (table !== null && top.closest('th, td') !== null && top.closest('table') === table && table.scrollWidth > seenWidth(table))
        continue;
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
      // Text within a line ends with the dots of the box around it.
      let line = element;
      while (styleOf(line).display === 'inline' && line.parentElement !== null) line = line.parentElement;
      if (!part.scrolls && styleOf(line).textOverflow !== 'ellipsis' && part.right - part.left < box.width - 2)
        faults.push(`${wordsOf(element)} is cut by what holds it`);
    }

    for (const cell of ground.querySelectorAll('td, th')) {
      const row = cell.closest('tr')?.getBoundingClientRect();
      const over = row === undefined || !isSeen(cell) ? 0 : Math.round(cell.getBoundingClientRect().right - row.right);
      if (over > 1) faults.push(`${wordsOf(cell)} runs ${over} px out of its row`);
    }

    const controlNames = 'a[href], button, label, summary, th, td, [role="tab"], [role="option"], [role="menuitem"], [role="gridcell"]';
    /** A control, a cell, or a box that is drawn: text in it has to end within its edges. */
    const isDrawn = (element: typeof body): boolean => {
      const { display, backgroundColor, borderLeftWidth, borderLeftStyle, borderRightWidth, borderRightStyle } = styleOf(element);
      if (display === 'inline' || display === 'contents') return false;
      if (element.matches(controlNames)) return true;
      const hasSides =
        borderLeftStyle !== 'none' && borderRightStyle !== 'none' && parseFloat(borderLeftWidth) > 0 && parseFloat(borderRightWidth) > 0;
      return hasSides || !/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor);
    };
    const texts = document.createTreeWalker(ground, 4);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const holder = text.parentElement;
      if (holder === null || text.textContent.trim() === '' || !isSeen(holder)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        const part = { left: line.left, top: line.top, right: line.right, bottom: line.bottom };
        let frame = holder;
        while (frame !== null && frame !== body && !isDrawn(frame)) {
          const style = styleOf(frame);
          const outer = frame.getBoundingClientRect();
          if (style.display !== 'inline' && style.overflowX !== 'visible') {
            part.left = Math.max(part.left, outer.left);
            part.right = Math.min(part.right, outer.right);
          }
          if (style.display !== 'inline' && style.overflowY !== 'visible') {
            part.top = Math.max(part.top, outer.top);
            part.bottom = Math.min(part.bottom, outer.bottom);
          }
          frame = frame.parentElement;
        }
        if (frame === null || frame === body || part.right - part.left < 3 || part.bottom - part.top < 3) continue;
        const { overflowX, overflowY } = styleOf(frame);
        const box = frame.getBoundingClientRect();
        const across = overflowX === 'visible' ? Math.max(box.left - part.left, part.right - box.right) : 0;
        // The box of a line is higher than its letters.
        const down = overflowY === 'visible' ? Math.max(box.top - part.top, part.bottom - box.bottom) - 3 : 0;
        if (Math.max(across, down) <= 1) continue;
        faults.push(`${wordsOf(holder)} runs ${Math.round(Math.max(across, down))} px out of ${wordsOf(frame)}`);
        break;
      }
    }
    return [...new Set(faults)];
  });
}
