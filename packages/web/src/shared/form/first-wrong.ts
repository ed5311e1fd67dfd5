/** Takes the reader to the first control of a form that is marked as wrong, once the answer is drawn. */
export function focusFirstWrong(form: HTMLFormElement | null): void {
  whenDrawn(() => firstWrong(form)?.focus());
}

/** The first control that is marked as wrong; of a group its first one. */
function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  const marked = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
  return marked?.querySelector<HTMLElement>('input') ?? marked;
}

/** After the next two frames: React has drawn the answer, and a prompt that closed with it has let go of the focus. */
function whenDrawn(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}
