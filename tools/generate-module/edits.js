/** A place where a line belongs was not found: somebody has changed the file, and the generator has to follow. */
function lost(what) {
  return new Error(`${what} is not where tools/generate-module/edits.js looks for it. Nothing was written.`);
}

/** `src/app.module.ts` with the module in its list. */
export function withModule(text, { folder, Entities }) {
  const path = `./${folder}/index.js`;
  const imports = [...text.matchAll(/^import .* from '(\.\/.*)';\n/gm)];
  const list = /^ *imports: \[\n(?:.*\n)*?(?= *\],$)/m.exec(text);
  const last = imports.at(-1);
  if (!last || !list) throw lost('The list of modules in src/app.module.ts');
  const next = imports.find(([, other]) => other > path);
  const end = list.index + list[0].length;
  const withItem = `${text.slice(0, end)}${Entities}Module,\n${text.slice(end)}`;
  const at = next ? next.index : last.index + last[0].length;
  return `${withItem.slice(0, at)}import { ${Entities}Module } from '${path}';\n${withItem.slice(at)}`;
}

/** `docs/api.md` with the refusal in the table of errors and the operations in that of scopes. */
export function withRows(text, { folder, code, Entity, Entities, noun, nouns }) {
  const refusal = `| 404 | \`${code}_not_found\` | No ${noun} has this id. | Check the id, or list the ${nouns} to find it. | no |`;
  const scopes = [
    `| \`list${Entities}\`, \`get${Entity}\` | \`${folder}:read\` |`,
    `| \`create${Entity}\` | \`${folder}:write\` |`,
  ];
  const withScopes = below(text, /^\| Operation +\| Scope +\|\n(?:\|.*\n)+/m, scopes);
  return below(withScopes, /^(?:\| 404 +\| `.*\n)+/m, [refusal]);
}

/** Puts lines below what the pattern finds. */
function below(text, pattern, lines) {
  const found = pattern.exec(text);
  if (!found) throw lost(`A table of docs/api.md (${pattern})`);
  const end = found.index + found[0].length;
  return text.slice(0, end) + lines.map((line) => `${line}\n`).join('') + text.slice(end);
}
