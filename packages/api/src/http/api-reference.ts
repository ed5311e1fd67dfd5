import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** The reference page loads its own files and calls this API; it writes style elements, hence 'unsafe-inline' for styles. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page's dark colours need a class. It is set according to the reader's system, also when that changes. */
const followSystemTheme = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** The browser's own parts follow the theme, and the column of links, which no answer has, is hidden. */
const colours = `
:root { color-scheme: light; }
:root.dark-mode { color-scheme: dark; background: #1c2022; }
:root.dark-mode body { background: #1c2022; }
.swagger-ui .response-col_links { display: none; }
`;

/** Content of the reference; `readDocument` returns the OpenAPI document as JSON text. */
export type Reference = { readDocument: () => string; title: string };

/** Serves the API reference with all its assets from this origin (api [99]). */
export async function serveReference(api: FastifyInstance, { readDocument, title }: Reference): Promise<void> {
  // The plugin takes a document at once and encodes it for each call, so it is created by the first.
  const document = Object.assign(JSON.parse('{}'), { toJSON: (): unknown => JSON.parse(readDocument()) });
  await api.register(swagger, { mode: 'static', specification: { document } });
  await api.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: referencePolicy,
    theme: {
      title: `${title} API`,
      css: [{ filename: 'colours.css', content: colours }],
      js: [{ filename: 'theme.js', content: followSystemTheme }],
    },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', defaultModelsExpandDepth: -1, filter: true, persistAuthorization: false },
  });
}
