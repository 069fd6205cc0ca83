import { join, relative } from 'node:path';
import { BadInput } from './bad-input.js';
import { checkName, isReservedWord } from './fields.js';
import { filesUnder, textOf } from './files.js';
import { camel, namesOf, pluralOf, wordsOf } from './names.js';
import { SQL_WORDS } from './sql-words.js';

const FOLDER = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const ENTITY = /^(?:[A-Z][a-z0-9]+)+$/;
/** The folder of a module is also an area of scopes, whose names are at most this long (src/access/domain/api-key.ts). */
const MAX_LENGTH = 31;
const MAX_INDEXES = 20;
/** Names that the templates use themselves. A field or an entity with such a name would shadow them. */
const USED = [
  'id',
  'name',
  'status',
  'body',
  'change',
  'input',
  'units',
  'record',
  'open',
  'service',
  'store',
];
/** Names that the templates import, on lines that do not contain a name of the module. */
const IMPORT = /^import (?:type )?\{([^{]*?)\} from/gm;
const DECLARATION = /^export (?:abstract )?(?:class|interface|type|const|function) (\w+)/gm;
const PATH = /@Controller\('([^']*)/g;
const TABLE = /CREATE TABLE IF NOT EXISTS (\w+)/g;
const SCHEMA = /name: '(\w+)',[^{}]*?tableName: '(\w+)'/g;

/** Every source file of the service, as [path, text]. */
const sourcesOf = (root) => filesUnder(join(root, 'src')).map((file) => [relative(root, file), textOf(file)]);

const found = (sources, pattern) =>
  sources.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, ...groups]) => groups));

/** The names of the new module, after they were checked. @throws BadInput */
export function namesFrom({ folder, entity, into, plural }, root, templates) {
  checkForm(entity, folder, ...(plural === undefined ? [] : [plural]));
  const sources = sourcesOf(root);
  const paths = found(sources, PATH).map(([path]) => path);
  const many = into === undefined ? pluralFrom(folder, entity, plural) : folder;
  const home = into ?? folder;
  // The path is below the path of the module, unless an entity has that path itself, because its ids come after it.
  const path = many === home || paths.includes(home) ? many : `${home}/${many}`;
  const names = namesOf(many, entity, home, path);
  checkMeaning(names, templates);
  if (into !== undefined && !sources.some(([path]) => path === `src/${into}/${into}.module.ts`))
    throw new BadInput(`There is no module "${into}" to add the entity to.`);
  if (into !== undefined && plural !== undefined)
    throw new BadInput(`With --into, the first name is the plural, so leave out --plural ${plural}.`);
  checkTaken(names, sources, paths, into);
  return names;
}

/**
 * The plural: the folder, if it looks like the plural, because otherwise it is only the name of the module. @throws BadInput if
 * it may be either
 */
function pluralFrom(folder, entity, plural) {
  const regular = pluralOf(wordsOf(entity).join('-'));
  if (plural !== undefined || folder === regular) return plural ?? folder;
  if (folder[0] === regular[0])
    throw new BadInput(
      `"${folder}" may be the plural of ${entity}, or the name of a module that has ${regular}: add --plural ${folder} or --plural ${regular}.`,
    );
  return regular;
}

/** Checks a field that refers to another table. @throws BadInput */
export function ownerFrom(belongsTo, root) {
  const table = belongsTo.replaceAll('-', '_');
  const schema = found(sourcesOf(root), SCHEMA).find(([, name]) => name === table);
  if (!schema) throw new BadInput(`There is no table "${table}" that the entity could belong to.`);
  const [entity] = schema;
  const name = `${camel(wordsOf(entity))}Id`;
  checkName(name);
  return { name, type: 'int64', optional: false, isStatus: false, owner: wordsOf(entity).join(' ') };
}

/** The type of an enum must differ from all other types of the module. @throws BadInput */
export function checkTypes(fields, { Entity }, templates) {
  const text = templates.map(textOf).join('');
  const types = new Set([...text.matchAll(/\{\{Entity\}\}([A-Z]\w*)/g)].map(([, suffix]) => suffix));
  const taken = fields.find(
    ({ Type, hasWords, isStatus }) => hasWords && !isStatus && types.has(Type.slice(Entity.length)),
  );
  if (taken?.name === 'status')
    throw new BadInput('Write --status, and change the values in domain/<entity>-status.ts afterwards.');
  if (taken) throw new BadInput(`"${taken.Type}" has another meaning in the code.`);
}

/** Checks the indexes: on MySQL a name has at most 64 characters, and every write costs more with each index. @throws BadInput */
export function checkIndexes(indexes) {
  const long = indexes.find(({ name }) => name.length > 64);
  if (long) throw new BadInput(`The index "${long.name}" would have a name of more than 64 characters.`);
  if (indexes.length > MAX_INDEXES)
    throw new BadInput(
      `Each filter in each order needs an index: ${indexes.length} indexes, but at most ${MAX_INDEXES} are allowed. Leave out some instants or enums.`,
    );
}

function checkForm(entity, ...folders) {
  const bad = folders.find((folder) => !FOLDER.test(folder));
  if (bad !== undefined)
    throw new BadInput(
      `"${bad}" is not a valid name of a folder: write lower-case words with hyphens, such as adoption-days.`,
    );
  if (!ENTITY.test(entity))
    throw new BadInput(
      `"${entity}" is not a valid name of an entity: join its words, such as AdoptionDay, and write an abbreviation as a word, such as ApiUrl.`,
    );
  const long = [entity, ...folders].find((name) => name.length > MAX_LENGTH);
  if (long) throw new BadInput(`"${long}" is too long: a name has at most ${MAX_LENGTH} characters.`);
}

function checkMeaning({ Entity, Entities, entity, entities, table }, templates) {
  if (Entity === Entities) throw new BadInput('The plural must differ from the singular.');
  if (SQL_WORDS.has(table)) throw new BadInput(`"${table}" is a word of SQL and cannot name a table.`);
  const imported = templates
    .flatMap((file) => [...textOf(file).matchAll(IMPORT)])
    .flatMap(([, list]) => list.split(',').map((name) => name.replace('type ', '').trim()));
  const used = [entity, entities].find((name) => USED.includes(name) || isReservedWord(name));
  const meant = [Entity, Entities].find((name) => name in globalThis || imported.includes(name));
  if (used ?? meant) throw new BadInput(`"${used ?? meant}" has another meaning in the code.`);
}

function checkTaken({ folder, home, path, Module, Entity, Entities, table }, sources, paths, into) {
  if (into === undefined && sources.some(([file]) => file.startsWith(`src/${home}/`)))
    throw new BadInput(
      `src/${home} exists already. To add an entity to it, write: ${folder} ${Entity} --into ${home}`,
    );
  const declared = new Set(found(sources, DECLARATION).map(([name]) => name));
  const wanted = [Entity, `New${Entity}`, Entities, `${Entity}Body`, `${Entities}Controller`];
  if (into === undefined) wanted.push(Module);
  const taken = wanted.find((name) => declared.has(name));
  if (taken) throw new BadInput(`The code has a "${taken}" already.`);
  const [area] = path.split('/');
  if (paths.some((other) => other === path || (area !== into && other.split('/')[0] === area)))
    throw new BadInput(`The API has a path /${area} already.`);
  if (found(sources, TABLE).some(([name]) => name === table))
    throw new BadInput(`The database has a table "${table}" already.`);
}
