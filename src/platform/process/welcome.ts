import { describeDatabase } from '../config/database-url.js';
import type { Settings } from '../config/settings.js';

/** The text on the terminal once the service is ready. `secret` is that of the first key, if it was issued just now. */
export function welcome(settings: Settings, origin: string, secret?: string): string {
  const lines = [
    `Pet Store     ${origin}/v1`,
    `Document      ${origin}/docs and ${origin}/openapi.json`,
    `Database      ${describeDatabase(settings.database)}`,
  ];
  if (secret === undefined) {
    lines.push('API key       npm run -s petstore -- keys issue --name NAME');
  } else {
    lines.push(`API key       ${secret}   (for tests; shown this once)`);
    lines.push('', `  curl -s -H "Authorization: Bearer ${secret}" "${origin}/v1/pets?limit=5"`);
  }
  return `\n${lines.join('\n')}\n\n`;
}
