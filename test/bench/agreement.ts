import type { RunningServer } from './running-server.js';
import type { BenchRequest } from './scenarios.js';

/** Sees to it that what is compared does the same: every server must answer reads as the first one did. */
export class Agreement {
  readonly #answers = new Map<string, string>();

  /** `question` names the request for all servers, whose addresses differ where they page. */
  async check(name: string, server: RunningServer, question: string, request: BenchRequest): Promise<void> {
    const response = await server.ask(request.method, request.path, request.body);
    const text = await response.text();
    const wanted = request.method === 'POST' ? 201 : 200;
    if (response.status !== wanted)
      throw new Error(`${name} answers ${request.method} ${request.path} with ${response.status}: ${text}`);
    if (request.method === 'POST') return;
    const answer = withExactIntegers(text);
    const known = this.#answers.get(question) ?? answer;
    this.#answers.set(question, known);
    if (answer !== known)
      throw new Error(`${name} answers ${request.path} unlike the first server:\n${answer}\n${known}`);
  }
}

/** Some peers can write large integers as strings only; that much is allowed to them, and said in the results. */
export function withExactIntegers(json: string): string {
  return json.replaceAll(/"(id|categoryId)":"(-?\d+)"/g, '"$1":$2');
}
