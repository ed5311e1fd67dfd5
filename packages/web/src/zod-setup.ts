import { z } from 'zod';

// Without this zod probes `new Function`, which the content policy forbids. Imported before any schema is used.
z.config({ jitless: true });
