import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

// Loaded before each test file, so that it ends after the hooks of that file.
afterAll(endFile);
