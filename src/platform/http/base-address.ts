import { BASE_PATH } from '../config/base-path.js';

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** A base URL, which ends in the path of the default version. It makes URLs beside itself. */
export class BaseAddress {
  readonly #origin: string;

  constructor(readonly text: string) {
    this.#origin = text.slice(0, -BASE_PATH.length);
  }

  /** The URL of a whole path of the service, of any version or of none, such as `/v2/pets` or `/docs`. */
  beside(path: string, parameters: Parameters = {}): string {
    const query = textOfParameters(parameters);
    return `${this.#origin}${path}${query && `?${query}`}`;
  }
}

/** Parameters as one text, which differs if the parameters differ. Parameters that are undefined are left out. */
export function textOfParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) text += `${text && '&'}${name}=${encodeURIComponent(value)}`;
  return text;
}

/** An entry of the header `Link` (RFC 8288 section 3). */
export const link = (address: string, relation: string): string => `<${address}>; rel="${relation}"`;
