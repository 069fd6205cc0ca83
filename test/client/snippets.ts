import { join } from 'node:path';
import { readText } from '../support/read-text.js';

const README = readText(join(import.meta.dirname, '../../client/README.md'));

/** Code blocks of the client's README in one language, or in several (`c?js`). */
export const snippets = (language: string): string[] =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);
