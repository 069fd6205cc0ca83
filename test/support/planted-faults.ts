import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** A mistake that somebody could make: a text that occurs once in a source file, and what stands in its place. */
export type PlantedFault = readonly [text: string, replacement: string];

/** Imports a source file, beside the real one, with a fault in it. Paths are those of the repository. */
export function planted<Module>(file: string, [text, replacement]: PlantedFault): Promise<Module> {
  const query = new URLSearchParams({ text, replacement });
  // Vite looks at the end to see that it is TypeScript.
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
