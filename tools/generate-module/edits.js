/** The place for a new line was not found: the file has changed, and the generator has to be adapted. */
function lost(what) {
  return new Error(`${what} is not where tools/generate-module/edits.js looks for it.`);
}

/** `src/app.module.ts` with the module in its list. */
export function withModule(text, { folder, Entities }) {
  const path = `./${folder}/index.js`;
  const imports = [...text.matchAll(/^import .* from '(\.\/.*)';\n/gm)];
  const list = /^export const MODULES.* = \[\n(?:.*\n)*?(?=\];$)/m.exec(text);
  const last = imports.at(-1);
  if (!last || !list) throw lost('The list of modules in src/app.module.ts');
  const next = imports.find(([, other]) => other > path);
  const end = list.index + list[0].length;
  const withItem = `${text.slice(0, end)}${Entities}Module,\n${text.slice(end)}`;
  const at = next ? next.index : last.index + last[0].length;
  return `${withItem.slice(0, at)}import { ${Entities}Module } from '${path}';\n${withItem.slice(at)}`;
}
