import type { ReactNode } from 'react';
import formClasses from './form.module.css';

type Props = {
  label: string;
  /** Gets the element, in which the first wrong field is looked for (`useSaving`). */
  takeElement: (element: HTMLFormElement | null) => void;
  onSubmit: () => void;
  children: ReactNode;
};

/** The form of a page, of which the console says itself what is wrong. */
export function PageForm({ label, takeElement, onSubmit, children }: Props) {
  return (
    <form
      ref={takeElement}
      className={formClasses['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      aria-label={label}
    >
      {children}
    </form>
  );
}
