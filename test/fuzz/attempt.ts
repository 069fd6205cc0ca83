/** Where `npm start` serves. */
const ORIGIN = 'http://127.0.0.1:3000';

/** An answer that is part of it may be long. */
const MAX_SENTENCE = 1_000;

/** A request, which shows itself as a curl command to paste. */
export class Attempt {
  readonly target: string;

  constructor(
    readonly method: string,
    path: string,
    query: Readonly<Record<string, string>> | [string, string][],
    readonly body?: string,
  ) {
    const search = new URLSearchParams(query).toString();
    this.target = `/v1${path}${search === '' ? '' : `?${search}`}`;
  }

  /** Runs checks of its answer. Whatever they throw is told with the request, as the sentence that was wrong. */
  async check<Result>(checks: () => Promise<Result>): Promise<Result> {
    try {
      return await checks();
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.toString()}\n${sentence.slice(0, MAX_SENTENCE)}`);
    }
  }

  toString(): string {
    const data = ` -H 'Content-Type: application/json' --data-binary ${shell(this.body ?? '')}`;
    return `curl -i -X ${this.method} -H "Authorization: Bearer $PETSTORE_API_KEY"${this.body === undefined ? '' : data} ${shell(ORIGIN + this.target)}`;
  }
}

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
