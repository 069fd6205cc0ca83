import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

type Refusal = readonly [reason: string, instead: string];

const SPATIAL: Refusal = ['SQLite does not have it', 'json'];

/** The types of TypeORM that some engine lacks, or returns in another form than they were stored in. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  float: ['MySQL returns only 6 digits', 'double'],
  bit: ['MySQL returns bytes for it', 'boolean'],
  set: ['MySQL sorts its values', 'simple-array'],
  inet4: ['only MariaDB has it', 'varchar'],
  inet6: ['only MariaDB has it', 'varchar'],
  vector: ['SQLite and MariaDB 10 do not have it', 'json'],
  geometry: SPATIAL,
  point: SPATIAL,
  linestring: SPATIAL,
  polygon: SPATIAL,
  multipoint: SPATIAL,
  multilinestring: SPATIAL,
  multipolygon: SPATIAL,
  geometrycollection: SPATIAL,
};

/** @throws Error for a column whose type does not work on each engine, so that no module depends on one engine */
export function refuseType({
  type,
  propertyName,
  entityMetadata,
}: Partial<Pick<ColumnMetadata, 'type' | 'propertyName' | 'entityMetadata'>>): void {
  const [reason, instead] = REFUSED[String(type)] ?? [];
  if (reason)
    throw new Error(
      `${propertyName} of ${entityMetadata?.name} cannot have the type ${String(type)}, because ${reason}, so use ${instead} instead.`,
    );
}
