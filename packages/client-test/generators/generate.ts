import { createClient } from '@hey-api/openapi-ts';
import { join } from 'node:path';
import { generate } from 'orval';
import ts from 'typescript';

/**
 * Generates clients from an OpenAPI document into a folder and prints the compiler's messages about them as JSON, without any if they
 * compile, together with the program download.ts of that folder: node generate.ts DOCUMENT FOLDER. A program of its own, because these generators need another TypeScript than the product.
 */
const [, , document = '', folder = ''] = process.argv;

await createClient({
  input: document,
  // Node.js resolves no import without an extension.
  output: { path: join(folder, 'hey-api'), importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
await generate(
  { input: { target: document }, output: { target: join(folder, 'orval/client.ts'), client: 'fetch', mode: 'single' } },
  folder,
);

const { options } = ts.convertCompilerOptionsFromJson(
  {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(import.meta.dirname, '../../../node_modules/@types')],
  },
  folder,
);
const program = ts.createProgram([join(folder, 'download.ts'), join(folder, 'orval/client.ts')], options);
const messages = ts
  .getPreEmitDiagnostics(program)
  .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
process.stdout.write(`\n${JSON.stringify(messages)}\n`);
