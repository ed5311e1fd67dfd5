type PolicyFactory = { createPolicy: (name: 'default', rules: { createHTML: (text: string) => string }) => unknown };

function isPolicyFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

/**
 * Under the content policy the browser passes every text that would become HTML through this function (S31).
 * The UI kit writes its variables into style elements that way; text with a tag in it has no business there.
 */
export function refuseMarkup(): void {
  const trustedTypes: unknown = Reflect.get(window, 'trustedTypes');
  if (!isPolicyFactory(trustedTypes)) return;
  trustedTypes.createPolicy('default', { createHTML: (text) => (text.includes('<') ? '' : text) });
}
