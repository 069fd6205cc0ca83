import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { stringify } from 'yaml';
import { writeJson } from '../../json/write-json.js';

/** Serves the document at `/openapi.json` and `/openapi.yaml` (RFC 9512), to everybody. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  const forms = {
    '/openapi.json': { type: 'application/json; charset=utf-8', text: writeJson(document) },
    '/openapi.yaml': {
      type: 'application/yaml; charset=utf-8',
      text: stringify(document, { aliasDuplicateObjects: false }),
    },
  };
  const adapter = app.getHttpAdapter();
  for (const [path, { type, text }] of Object.entries(forms)) {
    adapter.get(path, (_: Request, response: Response) => {
      response.setHeader('Content-Type', type);
      adapter.reply(response, text);
    });
  }
}
