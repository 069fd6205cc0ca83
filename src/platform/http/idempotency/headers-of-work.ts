import type { ServerResponse } from 'node:http';

/** The headers that the work of a request set, by name, in the form that `setHeader` takes. */
export type StoredHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * Headers that belong to one exchange, to its connection, or to the rate limit and the origin of the caller. The service sets them on each
 * response, also while the work runs.
 */
const OF_EXCHANGE =
  /^(?:access-control-.*|connection|content-length|date|keep-alive|ratelimit.*|trailer|traceparent|transfer-encoding|upgrade|x-request-id)$/;

/** Headers with several values, to which other code adds values too. For example, CORS adds `Origin` to `Vary`. */
const LISTS = ['set-cookie', 'vary'];

/** The values of each header, by its name in lower case. */
type Headers = ReadonlyMap<string, readonly string[]>;

/** Distinguishes the headers that the work of a request sets from the headers that the response had before. */
export class HeadersOfWork {
  readonly #before: Headers;

  constructor(private readonly response: ServerResponse) {
    this.#before = headersOf(response);
  }

  /** What the work added or changed, to be stored. A header that is a list has only the values that it did not have before. */
  added(): StoredHeaders {
    const added: [name: string, value: string | readonly string[]][] = [];
    for (const [name, values] of headersOf(this.response)) {
      const before = this.#before.get(name) ?? [];
      const isUnchanged = values.length === before.length && values.every((value, i) => value === before[i]);
      if (isUnchanged) continue;
      const own = LISTS.includes(name) ? values.filter((value) => !before.includes(value)) : values;
      if (own.length > 0) added.push([asSent(name), toHeader(name, own)]);
    }
    return Object.fromEntries(added);
  }

  /** Takes back what the work set, before the work is done again or another response is sent instead. */
  takeBack(): void {
    for (const name of headersOf(this.response).keys())
      if (!this.#before.has(name)) this.response.removeHeader(name);
    for (const [name, values] of this.#before) this.response.setHeader(asSent(name), toHeader(name, values));
  }
}

/** Sets the headers of an earlier response. It adds values to headers that are lists. */
export function restoreHeaders(response: ServerResponse, headers: StoredHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (LISTS.includes(name.toLowerCase())) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

function headersOf(response: ServerResponse): Headers {
  const entries = Object.entries(response.getHeaders()).filter(([name]) => !OF_EXCHANGE.test(name));
  return new Map(entries.map(([name, header]) => [name, toValues(name, header!)]));
}

function toValues(name: string, header: number | string | readonly string[]): readonly string[] {
  const values = [header].flat().map(String);
  return name === 'vary' ? values.flatMap((value) => value.split(/ *, */)) : values;
}

/** Cookies stay an array, because a text with several cookies is not a header. */
function toHeader(name: string, values: readonly string[]): string | readonly string[] {
  if (name === 'vary') return values.join(', ');
  // A copy, because `appendHeader` of Node adds to the array that `setHeader` got.
  return values.length === 1 && name !== 'set-cookie' ? values[0]! : [...values];
}

/** `location` becomes `Location`, because Node returns the names in lower case. */
const asSent = (name: string) => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
