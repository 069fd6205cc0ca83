import { join, relative } from 'node:path';
import Handlebars from 'handlebars';
import * as prettier from 'prettier';
import { filesUnder, textOf } from './files.js';

const TEMPLATES = join(import.meta.dirname, 'templates');
export const templates = filesUnder(TEMPLATES);

const fill = (text, view) => Handlebars.compile(text, { noEscape: true, strict: true })(view);

/** The files of a module, as [path, text]. A template with an empty result makes no file. */
export const render = (view) =>
  templates
    .map((file) => [fill(relative(TEMPLATES, file).replace(/\.hbs$/, ''), view), fill(textOf(file), view)])
    .filter(([, text]) => text.trim() !== '');

/** The wiring and the `index.ts` of a module with only this entity. The wiring and `index.ts` of another module are extended by them. */
export function seamsOf(view) {
  const of = (name) => textOf(templates.find((file) => file.endsWith(name)));
  return ['{{home}}.module.ts.hbs', 'index.ts.hbs'].map((name) => fill(of(name), { ...view, into: false }));
}

/** A text, formatted for a file with this path. */
export async function format(path, text) {
  const style = await prettier.resolveConfig(path);
  return prettier.format(text, { ...style, filepath: path });
}
