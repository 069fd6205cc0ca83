// Prints the types of an OpenAPI document, in which an int64 is a bigint and the code of an error one of those in its examples:
// node generate-types.mjs ../docs/openapi.json > src/api-types.ts
import { readFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const codes = new Set();
JSON.stringify(document, (_, node) => {
  if (typeof node?.code === 'string' && Number.isInteger(node.status)) codes.add(node.code);
  return node;
});
document.components.schemas.Error.properties.code.enum ??= [...codes].sort();
const nodes = await openapiTS(document, {
  transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
});
const style = await resolveConfig(import.meta.filename);
process.stdout.write(await format(COMMENT_HEADER + astToString(nodes), { ...style, parser: 'typescript' }));
