import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** A mistake that somebody could make: a text that occurs once in a source file, what stands in its place, and in which file. */
export type PlantedFault = readonly [text: string, replacement: string, file?: string];

/** Imports a source file, beside the real one, with a fault in it or in a file that it imports. Paths are those of the repository. */
export function planted<Module>(
  file: string,
  [text, replacement, where = file]: PlantedFault,
): Promise<Module> {
  const query = new URLSearchParams({ text, replacement, where: resolve(where) });
  return import(/* @vite-ignore */ `${resolve(file)}?${query}`) as Promise<Module>;
}

export const plantedFaults: Plugin = {
  name: 'planted-faults',
  enforce: 'pre',
  async resolveId(source, importer) {
    const [, query] = importer?.split('?') ?? [];
    const where = new URLSearchParams(query).get('where');
    if (where === null) return undefined;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found?.id === where ? `${where}?${query}` : found;
  },
  transform(source, id) {
    const [file, query] = id.split('?');
    const fault = new URLSearchParams(query);
    if (fault.get('where') !== file) return undefined;
    const [before, after, ...others] = source.split(fault.get('text')!);
    if (after === undefined || others.length > 0)
      throw new Error(`Not once in ${file}: ${fault.get('text')}`);
    return { code: `${before}${fault.get('replacement')}${after}`, map: null };
  },
};
