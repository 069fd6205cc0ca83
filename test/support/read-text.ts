import { readFileSync } from 'node:fs';

/** A text file of this repository. Its lines end with `\n`, however git has written them. */
export const readText = (file: string): string => readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
