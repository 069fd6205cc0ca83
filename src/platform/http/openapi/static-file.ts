import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Response } from 'express';
import { entityTag, sendTagged } from '../server/send-json.js';

/** One representation of a file, with its own entity tag. */
interface Form {
  readonly content: Buffer;
  readonly tag: string;
  readonly encoding?: string;
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** When it changes, the file is read again. */
  readonly version?: () => string;
}

const brotli = promisify(brotliCompress);
/** In order of preference. Level 11, brotli's default, takes twenty times as long for a tenth less. */
const COMPRESS: readonly (readonly [encoding: string, (plain: Buffer) => Promise<Buffer>])[] = [
  ['br', (plain) => brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })],
  ['gzip', promisify(gzip)],
];

/** A file that rarely changes while the service runs. It is read and compressed at the first request, and cached. */
export class StaticFile {
  #made: { readonly version: string; readonly forms: Promise<readonly Form[]> } | undefined;

  constructor(
    readonly type: string,
    private readonly read: () => string | Promise<string>,
    private readonly options: Options = {},
  ) {}

  async sendTo(response: Response, status = 200): Promise<void> {
    const forms = await this.#forms();
    // In our order of preference: browsers list gzip first.
    const accepted = response.req.acceptsEncodings();
    const { content, tag, encoding } =
      forms.find((form) => form.encoding && accepted.includes(form.encoding)) ?? forms.at(-1)!;
    response.setHeader('Content-Type', this.type);
    for (const [name, value] of Object.entries(this.options.headers ?? {})) response.setHeader(name, value);
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

  /** Shared by concurrent requests; made again after a failure, or if the version has changed. The last one is not compressed. */
  #forms(): Promise<readonly Form[]> {
    const version = this.options.version?.() ?? '';
    const forget = (error: unknown) => {
      this.#made = undefined;
      throw error;
    };
    if (this.#made?.version !== version) this.#made = { version, forms: this.#make().catch(forget) };
    return this.#made.forms;
  }

  async #make(): Promise<readonly Form[]> {
    const plain = Buffer.from(await this.read());
    const compressed = COMPRESS.map(async ([encoding, compress]) => ({
      ...formOf(await compress(plain)),
      encoding,
    }));
    const smaller = (await Promise.all(compressed)).filter(({ content }) => content.length < plain.length);
    return [...smaller, formOf(plain)];
  }
}

const formOf = (content: Buffer): Form => ({ content, tag: entityTag(content, false) });
