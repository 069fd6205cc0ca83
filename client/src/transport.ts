import type { Answer } from './answer.js';
import { withDeadline } from './deadline.js';
import { type Deprecation, deprecationIn } from './deprecation.js';
import { errorIn, unexpected } from './errors.js';
import { type Json, readJson, writeJson } from './json.js';
import { type RetryTerms, withRetries } from './retry.js';

/** How to reach the service. */
export interface TransportTerms extends RetryTerms {
  readonly apiKey: string;
  /** How long one try may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onDeprecated: (notice: Deprecation) => void;
}

/** A request for an operation of the service. */
export interface Call {
  /** Its name in the OpenAPI document. */
  readonly operation: string;
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  /** What is posted, and the key under which the service does it only once. Without this it is a GET. */
  readonly post?: { readonly body: Json; readonly idempotencyKey: string };
}

/** A good answer of the service, and what its body means. */
export interface Result {
  readonly answer: Answer;
  readonly body: unknown;
}

/** Sends requests with the API key, again where that helps. */
export class Transport {
  readonly #terms: TransportTerms;

  constructor(terms: TransportTerms) {
    this.#terms = terms;
  }

  /** @throws PetStoreError; PetStoreUnreachable; the signal's reason if it aborts */
  async send(call: Call): Promise<Result> {
    const { operation, url, signal } = call;
    const request = this.#requestOf(call);
    const send = () => this.#try(url, request, signal);
    const answer = await withRetries({ url, signal, send }, this.#terms);
    const notice = deprecationIn(answer, operation);
    if (notice) this.#terms.onDeprecated(notice);
    if (answer.status < 200 || answer.status > 299) throw errorIn(answer);
    try {
      return { answer, body: readJson(answer.text) };
    } catch (cause) {
      throw unexpected(answer, 'something other than JSON', cause);
    }
  }

  #requestOf({ post }: Call): RequestInit {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${this.#terms.apiKey}` };
    // A redirect could lead the key elsewhere, and the service has none.
    const common = { redirect: 'manual' } as const;
    if (!post) return { ...common, headers };
    return {
      ...common,
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Idempotency-Key': `"${post.idempotencyKey}"`,
      },
      body: writeJson(post.body),
    };
  }

  /** One try. It counts as failed, too, if the answer breaks off. */
  #try(url: URL, request: RequestInit, caller: AbortSignal | undefined): Promise<Answer> {
    const { fetch, timeoutMs } = this.#terms; // browsers refuse a fetch that is called as a method
    return withDeadline(timeoutMs, caller, async (signal) => {
      const response = await fetch(url, { ...request, signal });
      return { status: response.status, headers: response.headers, text: await response.text(), url };
    });
  }
}
