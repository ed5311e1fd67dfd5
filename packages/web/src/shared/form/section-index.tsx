import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './section-index.module.css';

type Section = { heading: HTMLElement; title: string; hasError: boolean };

/** The sections of a form in page order, each with whether one of its fields is invalid. */
function sectionsOf(form: HTMLElement): Section[] {
  return [...form.querySelectorAll<HTMLElement>('section[aria-labelledby]')].flatMap((section) => {
    const heading = section.querySelector<HTMLElement>('h2');
    if (heading === null) return [];
    return [{ heading, title: heading.textContent, hasError: section.querySelector('[aria-invalid="true"]') !== null }];
  });
}

function areSame(one: readonly Section[], other: readonly Section[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ heading, hasError }, index) => other[index]?.heading === heading && other[index].hasError === hasError)
  );
}

/** Follows sections that are added later, such as those of a loaded app, and fields that become invalid. */
function useSections(form: HTMLElement | null): readonly Section[] {
  const [sections, setSections] = useState<readonly Section[]>([]);
  useEffect(() => {
    if (form === null) return undefined;
    const readSections = (): void => {
      const foundSections = sectionsOf(form);
      setSections((knownSections) => (areSame(knownSections, foundSections) ? knownSections : foundSections));
    };
    readSections();
    const observer = new MutationObserver(readSections);
    observer.observe(form, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] });
    return () => observer.disconnect();
  }, [form]);
  return sections;
}

/** The first section in the upper part of the window; the last one at the end of the page. */
function useCurrent(sections: readonly Section[]): HTMLElement | null {
  const [current, setCurrent] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const visible = new Set<Element>();
    const choose = (): void => {
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const inView = sections.find(({ heading }) => visible.has(heading.closest('section') ?? heading));
      setCurrent((isAtEnd ? sections.at(-1) : inView)?.heading ?? null);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        }
        choose();
      },
      { rootMargin: '-84px 0px -55% 0px' },
    );
    for (const { heading } of sections) observer.observe(heading.closest('section') ?? heading);
    window.addEventListener('scroll', choose, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', choose);
    };
  }, [sections]);
  return current;
}

/**
 * Lists the sections of a long form beside it on wide screens, with the one in view and those with invalid fields marked.
 * A click scrolls to a section and focuses its heading.
 */
export function SectionIndex({ form }: { form: HTMLElement | null }) {
  const sections = useSections(form);
  const current = useCurrent(sections);
  return (
    <nav className={classes['index']} aria-label="Sections of the form">
      <ol className={classes['list']}>
        {sections.map(({ heading, title, hasError }) => (
          <li key={title}>
            <button
              type="button"
              className={classes['link']}
              aria-current={heading === current ? 'true' : undefined}
              onClick={() => {
                heading.scrollIntoView({ block: 'start', behavior: 'auto' });
                heading.focus({ preventScroll: true });
              }}
            >
              <span className={classes['title']}>{title}</span>
              {hasError && (
                <>
                  <IconAlertTriangle size={14} stroke={1.7} aria-hidden className={classes['error']} />
                  <VisuallyHidden>has errors</VisuallyHidden>
                </>
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
