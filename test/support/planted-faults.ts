import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type ts from 'typescript';
import type { Plugin } from 'vite';
import { readText } from './read-text.js';

/** A marker, which says what the statement below it ensures. */
const MARKER = /^ *\/\/ ensures: (.+?)\r?\n\s*/gm;

/** All markers of `src`, with the file of each. */
export const markers = (): (readonly [ensured: string, file: string])[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
    .flatMap((file) => [...readText(file).matchAll(MARKER)].map(([, ensured]) => [ensured!, file] as const));

/** Imports a copy of a source file, in which `instead` replaces the marked statement. @throws Error unless one statement is marked so */
export function planted<Module>(ensured: string, instead: string): Promise<Module> {
  const files = markers().flatMap(([text, file]) => (text === ensured ? [file] : []));
  if (files.length !== 1)
    throw new Error(`In src ${files.length} statements, not one, are marked with "// ensures: ${ensured}".`);
  const query = new URLSearchParams({ ensured, instead });
  // Vite recognises TypeScript by the end of the path.
  return import(/* @vite-ignore */ `${resolve(files[0]!)}?${query}&.ts`) as Promise<Module>;
}

/** The statement that begins at a position of a source file. */
async function statementAt(position: number, source: string): Promise<ts.Statement> {
  const { default: typescript } = await import('typescript');
  const find = (node: ts.Node): ts.Statement | undefined =>
    typescript.isStatement(node) && node.getStart() === position ? node : typescript.forEachChild(node, find);
  const { Latest } = typescript.ScriptTarget;
  const found = find(typescript.createSourceFile('source.ts', source, Latest, true));
  if (found) return found;
  throw new Error(`No statement begins with "${source.slice(position, position + 40)}".`);
}

export const plantedFaults: Plugin = {
  name: 'planted-faults',
  enforce: 'pre',
  async transform(source, id) {
    const fault = new URLSearchParams(id.split('?')[1]);
    const [ensured, instead] = [fault.get('ensured'), fault.get('instead')];
    if (ensured === null || instead === null) return undefined;
    const marker = [...source.matchAll(MARKER)].find(([, text]) => text === ensured)!;
    const statement = await statementAt(marker.index + marker[0].length, source);
    return { code: source.slice(0, statement.getStart()) + instead + source.slice(statement.end), map: null };
  },
};
