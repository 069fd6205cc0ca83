import { describeDatabase } from '../config/database-url.js';
import type { Settings } from '../config/settings.js';

/** What the terminal says once the service is ready. `secret` is that of a key issued just now, for want of any. */
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
