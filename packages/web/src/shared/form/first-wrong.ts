/** Frames that drawing an answer may take on a busy machine. */
const patience = 60;

/** Takes the reader to the first control of a form that is marked as wrong, as soon as the answer is drawn. */
export function focusFirstWrong(form: HTMLFormElement | null): void {
  // A prompt that closed with the answer lets go of the focus one frame later.
  requestAnimationFrame(() => focusOnceDrawn(form, patience));
}

function focusOnceDrawn(form: HTMLFormElement | null, frames: number): void {
  requestAnimationFrame(() => {
    const wrong = firstWrong(form);
    if (wrong !== null) wrong.focus();
    else if (frames > 1) focusOnceDrawn(form, frames - 1);
  });
}

/** The first control that is marked as wrong; of a group its first one. */
function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  const marked = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
  return marked?.querySelector<HTMLElement>('input') ?? marked;
}
