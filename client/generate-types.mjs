// Prints the types of an OpenAPI document, in which an int64 is a bigint:
// node generate-types.mjs ../docs/openapi.json > src/api-types.ts
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const document = pathToFileURL(resolve(process.argv[2]));
const nodes = await openapiTS(document, {
  transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
});
const style = await resolveConfig(import.meta.filename);
process.stdout.write(await format(COMMENT_HEADER + astToString(nodes), { ...style, parser: 'typescript' }));
