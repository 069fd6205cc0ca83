import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';

/** Serves the document at `/openapi.json`, to everybody. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  const adapter = app.getHttpAdapter();
  adapter.get('/openapi.json', (_: Request, response: Response) => adapter.reply(response, document));
}
