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

/** The constants of the bounds of fields. */
const boundsOf = (fields) =>
  fields.flatMap(({ isText, isInteger, MIN, MAX }) => (isText ? [MAX] : isInteger ? [MIN, MAX] : []));

const unique = (items) => [...new Set(items)].toSorted((one, other) => one.localeCompare(other));

/** All data for the templates. @throws BadInput */
export function viewOf(
  { folder, entity, document, into, plural, fields: requested, belongsTo, ...wanted },
  root,
) {
  const { status = false, patch = false, delete: deletes = false, events = false } = wanted;
  const names = namesFrom({ folder, entity, into, plural }, root, templates);
  const ownerField = belongsTo === undefined ? [] : [ownerFrom(belongsTo, root)];
  const all = [...ownerField, ...requested, ...(status ? [STATUS] : [])];
  checkFields(all, patch);
  const columns = all.map((field, i) => viewOfField(field, i, names));
  checkTypes(columns, names, templates);
  const stored = columns.filter(({ isStatus }) => !isStatus);
  const fields = stored.filter(({ isGiven }) => !isGiven);
  const given = stored.filter(({ isGiven }) => isGiven);
  const fixed = fields.filter(({ isFixed }) => isFixed);
  const patched = patch ? fields.filter(({ isFixed }) => !isFixed) : [];
  const filters = columns.filter(({ isFilter }) => isFilter);
  const sorts = columns.filter(({ isSort }) => isSort);
  const indexes = indexesOf(names.table, filters, sorts);
  checkIndexes(indexes);
  const of = (type, some = fields) => some.filter((field) => field.type === type);
  const changes = patch || status;
  const starts = given.filter(({ optional }) => !optional);
  const needsClock = starts.some(({ ofClock }) => ofClock);
  const optionals = stored.filter(({ optional }) => optional);
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
    services: [
      ...(events ? ['Events'] : []),
      ...(events && deletes ? ['UnitOfWork'] : []),
      ...(needsClock ? ['Clock'] : []),
    ],
    eventTypes: ['Added', ...(changes ? ['Changed'] : []), ...(deletes ? ['Deleted'] : [])].map(
      (what) => names.Entity + what,
    ),
    owner: fields.find(({ owner }) => owner) ?? false,
    // `columns` are all, `stored` all without the status, `fields` those that a client sends, and `patched` those that PATCH changes.
    columns,
    stored,
    fields,
    given,
    fixed,
    patched,
    // The given fields that have a value at first, and whether some of these values are of the clock.
    starts,
    needsClock,
    changeable: [...patched, ...columns.filter(({ isStatus }) => isStatus)],
    filters,
    sorts,
    sentSorts: sorts.filter(({ isGiven }) => !isGiven),
    indexes,
    texts: of('text'),
    hasText: of('text').length > 0,
    integers: of('integer'),
    storedTexts: of('text', stored),
    storedIntegers: of('integer', stored),
    int64s: of('int64', stored),
    needsInt64: of('int64').length > 0,
    patchedTexts: of('text', patched),
    bounds: boundsOf(fields),
    storedBounds: boundsOf(stored),
    importsDomain: stored.some(({ isText, isInteger, hasWords }) => isText || isInteger || hasWords),
    hasBounds: fields.some(({ isText, isInteger }) => isText || isInteger),
    hasInstant: of('instant', stored).length > 0,
    hasRange: sorts.length > 0,
    optionals,
    patchedOptionals: patched.filter(({ optional }) => optional),
    flipped: patched.find(({ differs }) => differs) ?? false,
    enums: stored.filter(({ hasWords }) => hasWords),
    filteredWords: of('enum', stored),
    decorators: unique([
      ...(changes ? ['changesOf'] : []),
      ...(sorts.length > 0 ? ['SortField', 'type ListOptions'] : []),
      'IdField',
      'PageQuery',
      'ReadOnly',
      ...(fixed.length > 0 ? ['Fixed'] : []),
      ...columns.map(({ decorator }) => decorator),
    ]),
  };
}
