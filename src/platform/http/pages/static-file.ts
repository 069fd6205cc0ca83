import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Response } from 'express';
import { entityTag, sendTagged } from '../server/send-json.js';

/** One representation of a file, with its own entity tag. */
interface Form {
  readonly content: Buffer;
  readonly tag: string;
  readonly encoding?: Encoding;
}
type Encoding = 'br' | 'gzip';

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** When it changes, the file is read again. */
  readonly version?: () => string;
}

const brotli = promisify(brotliCompress);
/** In order of preference. Level 11, brotli's default, takes twenty times as long for a tenth less. */
const COMPRESS: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  br: (plain) => brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};
const ENCODINGS = Object.keys(COMPRESS) as Encoding[];

/** What is served publicly besides the operations. */
export interface Pages {
  readonly files: Readonly<Record<string, Pick<StaticFile, 'sendTo'>>>;
  /** The page for unknown addresses. */
  readonly notFound?: StaticFile;
}

/** A file that rarely changes while the service runs. Each representation is made at its first request, and cached. */
export class StaticFile {
  readonly #plain: () => Promise<Form>;
  readonly #compressed: Readonly<Record<Encoding, () => Promise<Form>>>;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    readonly type: string,
    read: () => string | Promise<string | Buffer>,
    { headers, version }: Options = {},
  ) {
    this.#headers = { 'Content-Type': type, ...headers };
    this.#plain = cached(async () => formOf(Buffer.from(await read())), version);
    const compressed = (encoding: Encoding) =>
      cached(async (): Promise<Form> => {
        const plain = await this.#plain();
        const content = await COMPRESS[encoding](plain.content);
        return content.length < plain.content.length ? { ...formOf(content), encoding } : plain;
      }, version);
    this.#compressed = { br: compressed('br'), gzip: compressed('gzip') };
  }

  async sendTo(response: Response, status = 200): Promise<void> {
    // In our order of preference: browsers list gzip first.
    const accepted = response.req.acceptsEncodings();
    const wanted = ENCODINGS.find((encoding) => accepted.includes(encoding));
    const { content, tag, encoding } = await (wanted ? this.#compressed[wanted]() : this.#plain());
    for (const [name, value] of Object.entries(this.#headers)) response.setHeader(name, value);
    response.vary('Accept-Encoding');
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.statusCode = status;
    if (status === 200) {
      response.setHeader('Cache-Control', 'no-cache');
      sendTagged(response, content, tag);
    } else {
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Content-Length', content.length);
      response.end(content);
    }
  }
}

const formOf = (content: Buffer): Form => ({ content, tag: entityTag(content, false) });

/** Shares one promise between concurrent calls; calls `make` again after a failure, or if the version has changed. */
function cached<Content>(make: () => Promise<Content>, version = () => ''): () => Promise<Content> {
  let made: { readonly version: string; readonly content: Promise<Content> } | undefined;
  const forget = (error: unknown) => {
    made = undefined;
    throw error;
  };
  return () => {
    const current = version();
    if (made?.version !== current) made = { version: current, content: make().catch(forget) };
    return made.content;
  };
}
