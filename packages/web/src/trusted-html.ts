type PolicyFactory = { createPolicy: (name: 'default', rules: { createHTML: (text: string) => string }) => unknown };

function isPolicyFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

/**
 * With trusted types, the browser passes every text that is set as HTML through this policy. The UI kit writes CSS
 * variables into style elements this way; text with a tag is rejected.
 */
export function rejectMarkup(): void {
  const trustedTypes: unknown = Reflect.get(window, 'trustedTypes');
  if (!isPolicyFactory(trustedTypes)) return;
  trustedTypes.createPolicy('default', { createHTML: (text) => (text.includes('<') ? '' : text) });
}
