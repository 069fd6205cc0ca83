/** The responses that a request may get. */
export interface Expected {
  readonly statuses: readonly number[];
  /** The codes that a rejection may have; absent: any code. */
  readonly codes?: readonly string[];
}

export interface Parts {
  /** The parameters in the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

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

/** A generated request, and the responses that it may get. */
export class Trial extends Attempt {
  constructor(
    method: string,
    template: string,
    { path, query, body }: Parts,
    readonly expected: Expected,
  ) {
    const filled = Object.entries(path).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      template,
    );
    super(method, filled, query, body);
  }
}

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
