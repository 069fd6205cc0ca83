import type { Problem } from '../../../kernel/domain-error.js';
import { type Line, unreadable } from './lines.js';
import { MalformedJson, parseJson } from '../../../platform/json/parse-json.js';
import type { PetLine } from '../../application/pet-import.js';

/** The pets of newline-delimited JSON, an object a line. */
export async function* ndjsonLines(lines: AsyncIterable<Line[]>): AsyncGenerator<PetLine[]> {
  for await (const some of lines) yield some.map(readLine);
}

function readLine(line: Line): PetLine {
  const { number } = line;
  if (!('text' in line)) return { number, problems: unreadable(line) };
  try {
    const data = parseJson(Buffer.from(line.text));
    if (data !== null && typeof data === 'object' && !Array.isArray(data)) return { number, data };
    return refused(number, 'invalid_type', 'must be a JSON object');
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return refused(number, 'malformed_text', `is not acceptable JSON: ${error.message}`);
  }
}

const refused = (number: number, code: Problem['code'], message: string): PetLine => ({
  number,
  problems: [{ field: '', code, message }],
});
