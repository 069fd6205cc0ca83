import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { migrationsUnder } from './files.js';
import { namesOf } from './names.js';

const USAGE = 'npm run generate:module -- shelters Shelter';
const FOLDER = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const ENTITY = /^(?:[A-Z][a-z0-9]*)+$/;
/** The folder is an area of scopes too, and has no more room there: src/access/domain/api-key.ts. */
const MAX_LENGTH = 31;
/** They are there, or would be taken for what is there. */
const RESERVED = ['pets', 'store', 'access', 'kernel', 'platform'];
/** Plurals that MySQL or SQLite does not take for the name of a table. */
const SQL_WORDS = ['databases', 'groups', 'keys', 'lines', 'rows', 'schemas', 'values'];
/** What the templates themselves call something, so that a second thing of this name would hide it. */
const USED = ['id', 'name', 'status', 'body', 'change', 'input', 'units', 'record', 'open'];
/** What the templates import from elsewhere: a line without a name of the module. */
const IMPORT = /^import (?:type )?\{([^{]*?)\} from/gm;

class BadName extends Error {
  constructor(reason) {
    super(`${reason}\nNothing was written. An example: ${USAGE}`);
  }
}

/** What the templates call the new module, if nothing speaks against it; nothing is written before. @throws BadName */
export function namesFrom(args, root, templates) {
  const [folder, entity, ...more] = args;
  if (folder === undefined || entity === undefined || more.length > 0)
    throw new BadName(
      'Give two names: the folder, which is the plural, and the entity, which is the singular.',
    );
  const names = () => namesOf(folder, entity);
  const objection =
    objectionToForm(folder, entity) ?? objectionToMeaning(names(), templates) ?? taken(names(), root);
  if (objection !== undefined) throw new BadName(objection);
  return names();
}

function objectionToForm(folder, entity) {
  if (!FOLDER.test(folder))
    return `"${folder}" is no folder: write small words with hyphens, as in adoption-days.`;
  if (!ENTITY.test(entity)) return `"${entity}" is no entity: write its words as one, as in AdoptionDay.`;
  if (folder.length > MAX_LENGTH) return `"${folder}" is too long: ${MAX_LENGTH} characters are the most.`;
  if (RESERVED.includes(folder)) return `"${folder}" is reserved.`;
}

function objectionToMeaning({ Entity, Entities, entity, entities, table }, templates) {
  if (Entity === Entities) return 'The plural must differ from the singular.';
  if (SQL_WORDS.includes(table)) return `"${table}" is a word of SQL and can be no table.`;
  const imported = templates
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(IMPORT)])
    .flatMap(([, list]) => list.split(',').map((name) => name.replace('type ', '').trim()));
  const used = [entity, entities].find((name) => USED.includes(name) || isReservedWord(name));
  const meant = [Entity, Entities].find((name) => name in globalThis || imported.includes(name));
  if (used ?? meant) return `"${used ?? meant}" has another meaning in the code.`;
}

function taken({ folder, Entity, Entities, table }, root) {
  if (existsSync(join(root, 'src', folder))) return `src/${folder} is there already.`;
  const { schemas } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')).components;
  const shape = [Entity, Entities, `New${Entity}`, `${Entity}Status`].find((name) => name in schemas);
  if (shape !== undefined) return `The API has a shape "${shape}" already.`;
  const creation = new RegExp(`CREATE TABLE IF NOT EXISTS ${table} `);
  const creator = migrationsUnder(root).find((file) => creation.test(readFileSync(file, 'utf8')));
  if (creator !== undefined) return `The database has a table "${table}" already.`;
}

function isReservedWord(name) {
  try {
    new Script(`'use strict'; var ${name};`);
    return false;
  } catch {
    return true;
  }
}
