import { useCallback, useState, type ReactNode } from 'react';
import { useReadOnly } from '../ui/read-only.tsx';
import formClasses from './form.module.css';
import { SectionIndex } from './section-index.tsx';

type Props = {
  label: string;
  /** Receives the element, in which `useSaving` looks for the first invalid field. */
  takeElement: (element: HTMLFormElement | null) => void;
  onSubmit: () => void;
  /** Whether the form is long enough to list its sections beside it. */
  hasIndex?: boolean;
  children: ReactNode;
};

/** The form of a page. The console shows all messages; the browser's own validation is off. */
export function PageForm({ label, takeElement, onSubmit, hasIndex = false, children }: Props) {
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const isReadOnly = useReadOnly() !== null;
  const take = useCallback(
    (form: HTMLFormElement | null) => {
      takeElement(form);
      setElement(form);
    },
    [takeElement],
  );
  return (
    <form
      ref={take}
      className={formClasses['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      aria-label={label}
    >
      <fieldset className={formClasses['all']} disabled={isReadOnly}>
        {children}
      </fieldset>
      {hasIndex && <SectionIndex form={element} />}
    </form>
  );
}
