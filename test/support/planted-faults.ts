import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** A possible mistake: a text that occurs once in a source file, and its replacement. */
export type PlantedFault = readonly [text: string, replacement: string];

/** Imports a copy of a source file with a fault in it, beside the real file. Paths are relative to the repository. */
export function planted<Module>(file: string, [text, replacement]: PlantedFault): Promise<Module> {
  const query = new URLSearchParams({ text, replacement });
  // Vite recognises TypeScript by the end of the path.
  return import(/* @vite-ignore */ `${resolve(file)}?${query}&.ts`) as Promise<Module>;
}

export const plantedFaults: Plugin = {
  name: 'planted-faults',
  enforce: 'pre',
  transform(source, id) {
    const [file, query] = id.split('?');
    const fault = new URLSearchParams(query);
    const [text, replacement] = [fault.get('text'), fault.get('replacement')];
    if (text === null || replacement === null) return undefined;
    const [before, after, ...others] = source.split(text);
    if (after === undefined || others.length > 0) throw new Error(`Not once in ${file}: ${text}`);
    return { code: `${before}${replacement}${after}`, map: null };
  },
};
