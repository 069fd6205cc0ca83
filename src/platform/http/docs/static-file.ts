import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpServer } from '@nestjs/common';
import type { Request, Response } from 'express';
import { entityTag, sendTagged } from '../server/send-json.js';

/** One way to write a file; each has a tag of its own. */
interface Form {
  readonly content: Buffer;
  readonly tag: string;
  readonly encoding?: 'gzip';
}

const compress = promisify(gzip);

/** A file that stays as it is while the service runs: a form of it is made when somebody asks for it first, and kept. */
export class StaticFile {
  readonly #plain = kept(async () => formOf(Buffer.from(await this.read())));
  readonly #compressed = kept(async (): Promise<Form> => {
    const plain = await this.#plain();
    const content = await compress(plain.content);
    return content.length < plain.content.length ? { ...formOf(content), encoding: 'gzip' } : plain;
  });

  constructor(
    private readonly type: string,
    private readonly read: () => string | Promise<Buffer>,
  ) {}

  async sendTo(response: Response): Promise<void> {
    const accepted = response.req.acceptsEncodings('gzip', 'identity');
    const { content, tag, encoding } = await (accepted === 'gzip' ? this.#compressed() : this.#plain());
    response.setHeader('Content-Type', this.type);
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Encoding');
    if (encoding) response.setHeader('Content-Encoding', encoding);
    sendTagged(response, content, tag);
  }
}

/** Serves files at these paths, to everybody. */
export function serveFiles(server: HttpServer, files: Readonly<Record<string, StaticFile>>): void {
  for (const [path, file] of Object.entries(files))
    server.get(path, (_: Request, response: Response) => file.sendTo(response));
}

const formOf = (content: Buffer): Form => ({ content, tag: entityTag(content, false) });

/** Whoever asks while it is being made waits for the same; what has failed is made anew. */
function kept<Content>(make: () => Promise<Content>): () => Promise<Content> {
  let content: Promise<Content> | undefined;
  const forget = (error: unknown) => {
    content = undefined;
    throw error;
  };
  return () => (content ??= make().catch(forget));
}
