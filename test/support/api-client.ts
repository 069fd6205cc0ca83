import { parseWritten, type WrittenValue } from '../../src/platform/json/write-json.js';
import { ContractCheck, isJson } from './http/contract-check.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, as it was sent. */
  readonly bytes: Buffer;
  readonly text: string;
  /** Null if the response does not have a JSON body. */
  readonly json: WrittenValue;
}

interface Sent {
  readonly headers?: Record<string, string>;
  /** A form is sent as `multipart/form-data`. */
  readonly body?: string | Buffer | FormData;
}

/** An HTTP client that checks every response against the OpenAPI document of the service. */
export class ApiClient {
  private constructor(
    readonly origin: string,
    private readonly contract: ContractCheck,
    private readonly headers: Record<string, string>,
  ) {}

  static async of(origin: string): Promise<ApiClient> {
    const document = await (await fetch(`${origin}/openapi.json`)).text();
    return new ApiClient(origin, ContractCheck.of(document), {});
  }

  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.origin, this.contract, { ...this.headers, ...headers });
  }

  get(target: string, sent?: Sent): Promise<Answer> {
    return this.send('GET', target, sent);
  }

  /** `body` is sent as JSON: a string unchanged, anything else through `JSON.stringify`. */
  post(target: string, body: unknown, sent: Sent = {}): Promise<Answer> {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send('POST', target, {
      body: text,
      headers: { 'Content-Type': 'application/json', ...sent.headers },
    });
  }

  /** `patch` is sent as a JSON merge patch. */
  patch(target: string, patch: unknown, sent: Sent = {}): Promise<Answer> {
    const headers = { 'Content-Type': 'application/merge-patch+json', ...sent.headers };
    return this.send('PATCH', target, { body: JSON.stringify(patch), headers });
  }

  /** `target` is a path with its query, or an absolute URL from a link of the service. */
  async send(method: string, target: string, { headers, body }: Sent = {}): Promise<Answer> {
    const response = await fetch(target.startsWith(this.origin) ? target : this.origin + target, {
      method,
      headers: { ...this.headers, ...headers },
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status, headers: received } = response;
    const answer = { status, headers: received, bytes, text: bytes.toString() };
    this.contract.check({ ...answer, method, target });
    return { ...answer, json: bytes.length > 0 && isJson(received) ? parseWritten(answer.text) : null };
  }
}

export function linked(answer: Pick<Answer, 'headers'>, relation: string): string | undefined {
  const links = (answer.headers.get('link') ?? '').split(/,\s*(?=<)/);
  return links.find((link) => link.includes(`rel="${relation}"`))?.match(/<([^>]*)>/)?.[1];
}
