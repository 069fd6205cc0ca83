import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '../../config/settings.js';
import { API_VERSION } from './api-version.js';
import { namedLists } from './operation.decorator.js';

/** `@Deprecated` writes it; the document's own mark follows from it. */
const SUNSET_EXTENSION = 'x-deprecated-sunset';
const PREFIX = '/v1';

/** The OpenAPI document of all modules' operations. Paths are relative to the base addresses, which end in `/v1`. */
export function openApiDocument(app: INestApplication, { baseUrl, stagingUrl }: Settings): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pet Store')
    .setDescription('A catalogue of animals offered by a pet store.')
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(baseUrl ?? PREFIX, 'Production')
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer' })
    .addSecurityRequirements('apiKey');
  if (stagingUrl) builder.addServer(stagingUrl, 'Staging');

  const document = SwaggerModule.createDocument(app, builder.build());
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.slice(PREFIX.length), item]),
  );
  for (const { get } of Object.values(document.paths)) {
    if (get && SUNSET_EXTENSION in get) get.deprecated = true;
  }
  for (const [name, item] of namedLists) {
    document.components!.schemas![name] = { type: 'array', items: { $ref: getSchemaPath(item) } };
  }
  return document;
}
