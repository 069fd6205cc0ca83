import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { expect, it } from 'vitest';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';

it('a request and its response are from birth what Express makes of them', async () => {
  const app = express();
  const seen: object[][] = [];
  const prototypes = (...messages: object[]) =>
    messages.map((message) => Object.getPrototypeOf(message) as object);
  app.get('/', (request: Request, response: Response) => {
    seen.push(prototypes(request, response));
    response.vary('Accept').json({ ip: request.ip, path: request.path, app: request.app === app });
  });
  const server = createServer(expressMessages(app, ''), (request, response) => {
    expect(request).toBeInstanceOf(IncomingMessage);
    expect(response).toBeInstanceOf(ServerResponse);
    seen.push(prototypes(request, response));
    app(request as unknown as Request, response as unknown as Response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.json()).toEqual({ ip: '127.0.0.1', path: '/', app: true });
  expect(answer.headers.get('vary')).toBe('Accept');
  // Compares identity, not only value: Express must find nothing to change.
  const [born, handled] = seen;
  born!.forEach((prototype, i) => expect(handled![i]).toBe(prototype));
  await new Promise((resolve) => server.close(resolve));
});
