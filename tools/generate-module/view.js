import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFields } from './fields.js';
import { viewOfField } from './field-view.js';
import { filesUnder } from './files.js';
import { checkIndexes, checkTypes, namesFrom, ownerFrom } from './refusals.js';
import { templates } from './render.js';

/** The timestamp at the end of a migration's name, by which TypeORM orders migrations. */
const STAMP = /readonly name = '\w*?(\d{13})'/;
const STATUS = { name: 'status', type: 'enum', optional: false, values: ['open', 'closed'], isStatus: true };
const BY_ID = { name: 'id', column: 'id' };

/** Now, but always later than every existing migration. */
function nextStamp(root) {
  const stamps = filesUnder(join(root, 'src'))
    .filter((file) => file.endsWith('.migration.ts'))
    .map((file) => Number(STAMP.exec(readFileSync(file, 'utf8'))?.[1] ?? 0));
  return Math.max(Date.now(), ...stamps.map((stamp) => stamp + 1));
}

/** An index for each filter, and none, in each order. Both engines append the id to each. */
function indexesOf(table, filters, sorts) {
  const all = [undefined, ...filters].flatMap((filter) => [BY_ID, ...sorts].map((sort) => [filter, sort]));
  return all
    .filter(([filter, sort]) => filter !== undefined || sort !== BY_ID)
    .map(([filter, sort]) => {
      const columns = [filter, sort].filter((field) => field !== undefined);
      const named = columns.filter((field) => field !== BY_ID).map(({ column }) => column);
      return {
        name: `${table}_by_${named.join('_and_')}`,
        properties: columns.map(({ name }) => name),
        columns: columns.map(({ column }) => column).join(', '),
      };
    });
}

const unique = (items) => [...new Set(items)].toSorted();

/** All data for the templates. @throws BadInput */
export function viewOf({ folder, entity, document, fields: given, status, belongsTo }, root) {
  const names = namesFrom({ folder, entity }, root, templates);
  const ownerField = belongsTo === undefined ? [] : [ownerFrom(belongsTo, root)];
  const all = [...ownerField, ...given, ...(status ? [STATUS] : [])];
  checkFields(all);
  const columns = all.map((field, i) => viewOfField(field, i, names));
  checkTypes(columns, templates);
  const fields = columns.filter(({ isStatus }) => !isStatus);
  const filters = columns.filter(({ isFilter }) => isFilter);
  const sorts = columns.filter(({ isSort }) => isSort);
  const indexes = indexesOf(names.table, filters, sorts);
  checkIndexes(indexes);
  return {
    ...names,
    document,
    milliseconds: nextStamp(root),
    status,
    owner: fields.find(({ owner }) => owner) ?? false,
    fields,
    columns,
    filters,
    sorts,
    indexes,
    texts: fields.filter(({ isText }) => isText),
    hasText: fields.some(({ isText }) => isText),
    int64s: fields.filter(({ isInt64 }) => isInt64),
    needsInt64: fields.some(({ isInt64 }) => isInt64),
    hasInstant: sorts.length > 0,
    hasRange: sorts.length > 0,
    optionals: fields.filter(({ optional }) => optional),
    flipped: fields.find(({ differs }) => differs) ?? false,
    hasOptional: fields.some(({ optional }) => optional),
    enums: fields.filter(({ isEnum }) => isEnum),
    decorators: unique([
      'IdField',
      'PureRules',
      'ReadOnly',
      'ValidatedBy',
      ...columns.map(({ decorator }) => decorator),
    ]),
  };
}
