import { BASE_PATH } from '../../config/base-path.js';
import { describeDatabase } from '../../config/database-url.js';
import type { Settings } from '../../config/settings.js';

/** The text for the terminal when the service is ready. `secret` belongs to the first key, if it was just issued. */
export function welcome(settings: Settings, origin: string, secret?: string): string {
  const lines = [
    `Pet Store     ${origin}${BASE_PATH}`,
    `Document      ${origin}/docs and ${origin}/openapi.json`,
    `Database      ${describeDatabase(settings.database)}`,
  ];
  if (secret === undefined) {
    const petstore = process.argv[2] === 'serve' ? 'petstore' : 'npm run -s petstore --';
    lines.push(`API key       ${petstore} keys issue --name NAME`);
  } else {
    lines.push(`API key       ${secret}   (for tests; shown this once)`);
    lines.push('', `  curl -s -H "Authorization: Bearer ${secret}" "${origin}${BASE_PATH}/pets?limit=5"`);
  }
  return `\n${lines.join('\n')}\n\n`;
}
