import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFields } from './fields.js';
import { viewOfField } from './field-view.js';
import { filesUnder } from './files.js';
import { checkIndexes, checkTypes, namesFrom, ownerFrom } from './refusals.js';
import { templates } from './render.js';

/** The timestamp at the end of a migration's name. TypeORM applies migrations in its order. */
const STAMP = /readonly name = '\w*?(\d{13})'/;
const STATUS = { name: 'status', type: 'enum', optional: false, values: ['open', 'closed'], isStatus: true };
const BY_ID = { name: 'id', column: 'id' };

/** The current time, or a later one if an existing migration is newer. */
function nextStamp(root) {
  const stamps = filesUnder(join(root, 'src'))
    .filter((file) => file.endsWith('.migration.ts'))
    .map((file) => Number(STAMP.exec(readFileSync(file, 'utf8'))?.[1] ?? 0));
  return Math.max(Date.now(), ...stamps.map((stamp) => stamp + 1));
}

/** An index for each filter, and one without a filter, in each order. Both engines append the id to each index. */
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

const unique = (items) => [...new Set(items)].toSorted((one, other) => one.localeCompare(other));

/** All data for the templates. @throws BadInput */
export function viewOf(
  { folder, entity, document, into, plural, fields: given, belongsTo, ...wanted },
  root,
) {
  const { status = false, patch = false, delete: deletes = false, events = false } = wanted;
  const names = namesFrom({ folder, entity, into, plural }, root, templates);
  const ownerField = belongsTo === undefined ? [] : [ownerFrom(belongsTo, root)];
  const all = [...ownerField, ...given, ...(status ? [STATUS] : [])];
  checkFields(all);
  const columns = all.map((field, i) => viewOfField(field, i, names));
  checkTypes(columns, names, templates);
  const fields = columns.filter(({ isStatus }) => !isStatus);
  const filters = columns.filter(({ isFilter }) => isFilter);
  const sorts = columns.filter(({ isSort }) => isSort);
  const indexes = indexesOf(names.table, filters, sorts);
  checkIndexes(indexes);
  const of = (type) => fields.filter((field) => field.type === type);
  const changes = patch || status;
  const optionals = fields.filter(({ optional }) => optional);
  return {
    ...names,
    document,
    milliseconds: nextStamp(root),
    into: into ?? false,
    status,
    patch,
    changes,
    deletes,
    writes: changes || deletes,
    events,
    units: events && deletes,
    eventTypes: ['Added', ...(changes ? ['Changed'] : []), ...(deletes ? ['Deleted'] : [])].map(
      (what) => names.Entity + what,
    ),
    owner: fields.find(({ owner }) => owner) ?? false,
    fields,
    columns,
    changeable: patch ? columns : columns.filter(({ isStatus }) => isStatus),
    filters,
    sorts,
    indexes,
    texts: of('text'),
    hasText: of('text').length > 0,
    integers: of('integer'),
    int64s: of('int64'),
    needsInt64: of('int64').length > 0,
    patchesText: patch && of('text').length > 0,
    bounds: [...of('text').map(({ MAX }) => MAX), ...of('integer').flatMap(({ MIN, MAX }) => [MIN, MAX])],
    importsDomain: fields.some(({ isText, isInteger, hasWords }) => isText || isInteger || hasWords),
    hasBounds: fields.some(({ isText, isInteger }) => isText || isInteger),
    hasInstant: of('instant').length > 0,
    hasRange: sorts.length > 0,
    optionals,
    hasOptional: optionals.length > 0,
    patchesOptional: patch && optionals.length > 0,
    flipped: (patch && fields.find(({ differs }) => differs)) || false,
    enums: fields.filter(({ hasWords }) => hasWords),
    filteredWords: of('enum'),
    decorators: unique([
      ...(changes ? ['changesOf'] : []),
      ...(sorts.length > 0 ? ['SortField', 'type ListOptions'] : []),
      'IdField',
      'PageQuery',
      'ReadOnly',
      ...columns.map(({ decorator }) => decorator),
    ]),
  };
}
