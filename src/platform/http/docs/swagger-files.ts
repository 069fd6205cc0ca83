import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The three files of Swagger UI that the page needs. They are read when somebody asks for them first, and kept. */
export const swaggerFiles = {
  style: keptText(() => require.resolve('swagger-ui-dist/swagger-ui.css')),
  script: keptText(() => require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  icon: kept(() => readFileSync(require.resolve('swagger-ui-dist/favicon-32x32.png'))),
};

function keptText(path: () => string): () => string {
  return kept(() => readFileSync(path(), 'utf8'));
}

function kept<Content>(read: () => Content): () => Content {
  let content: Content | undefined;
  return () => (content ??= read());
}
