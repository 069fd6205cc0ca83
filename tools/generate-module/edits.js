/** The position of a new line was not found, because the file has changed. The generator has to be adapted. */
function lost(what) {
  return new Error(`${what} is not where tools/generate-module/edits.js looks for it.`);
}

/** `src/app.module.ts`, with the module added to its list. */
export function withModule(text, { home, Module }) {
  const path = `./${home}/index.js`;
  const imports = [...text.matchAll(/^import .* from '(\.\/.*)';\n/gm)];
  const list = /^export const MODULES.* = \[\n(?:.*\n)*?(?=\];$)/m.exec(text);
  const last = imports.at(-1);
  if (!last || !list) throw lost('The list of modules in src/app.module.ts');
  const next = imports.find(([, other]) => other > path);
  const end = list.index + list[0].length;
  const withItem = `${text.slice(0, end)}${Module},\n${text.slice(end)}`;
  const at = next ? next.index : last.index + last[0].length;
  return `${withItem.slice(0, at)}import { ${Module} } from '${path}';\n${withItem.slice(at)}`;
}

const LISTS = ['@Migrations(', 'TypeOrmModule.forFeature([', 'controllers: [', 'providers: ['];
const IMPORT = /^import (?:type )?\{([^}]*)\} from '(.*)';\n/gm;
const itemsOf = (list) => list.split(',').flatMap((item) => item.trim() || []);

/** The positions at which the items of a list begin and end. */
function listIn(text, opening, file) {
  const at = text.indexOf(opening);
  if (at < 0) throw lost(`${opening} in ${file}`);
  const begin = at + opening.length;
  let [end, depth] = [begin, 1];
  for (; end < text.length && depth > 0; end++)
    depth += '([{'.includes(text[end]) ? 1 : ')]}'.includes(text[end]) ? -1 : 0;
  return [begin, end - 1];
}

/** The wiring of a module, with everything that the wiring of another entity has. */
export function withWiring(text, more, file) {
  let result = text;
  for (const opening of LISTS) {
    const [begin, end] = listIn(result, opening, file);
    const added = more
      .slice(...listIn(more, opening, file))
      .trim()
      .replace(/,$/, '');
    const given = result.slice(begin, end).trim().replace(/,$/, '');
    result = `${result.slice(0, begin)}${[given, added].filter(Boolean).join(', ')}${result.slice(end)}`;
  }
  for (const [line, names, path] of more.matchAll(IMPORT)) {
    const all = [...result.matchAll(IMPORT)];
    const known = all.find(([whole, , other]) => other === path && !whole.startsWith('import type'));
    const last = all.at(-1);
    if (!last) throw lost(`The imports of ${file}`);
    if (!known) result = result.replace(last[0], () => last[0] + line);
    else {
      const both = [...new Set([...itemsOf(known[1]), ...itemsOf(names)])];
      result = result.replace(known[0], () => `import { ${both.join(', ')} } from '${path}';\n`);
    }
  }
  return result;
}
