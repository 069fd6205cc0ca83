// Prints the types of an OpenAPI document, in which a whole number of a body is a bigint, as the client reads it, and the code of
// an error one of those that the document lists:
// node generate-types.mjs ../docs/openapi.json > src/api-types.ts
import { readFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const name of ['Error', 'ErrorDetail']) {
  const { code } = document.components.schemas[name].properties;
  code.enum ??= code['x-extensible-enum']?.toSorted();
}
/** In a query, and in an error, whose status is a number, the format is int32. */
function bigintOf({ type, format }) {
  const types = [type].flat();
  if (!types.includes('integer') || format === 'int32') return undefined;
  return types.includes('null') ? ts.factory.createUnionTypeNode([BIGINT, NULL]) : BIGINT;
}

const nodes = await openapiTS(document, { transform: bigintOf });
const style = await resolveConfig(import.meta.filename);
process.stdout.write(await format(COMMENT_HEADER + astToString(nodes), { ...style, parser: 'typescript' }));
