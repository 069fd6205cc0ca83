import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import { expect, it } from 'vitest';
import { expressMessages } from '../../../../support/rooms/http.js';

it('a request and its response have the prototypes of Express from the beginning', () => {
  const app = express();
  const messages = expressMessages(app, '');
  const request = Object.assign(new messages.IncomingMessage(new Socket()), { method: 'GET', url: '/' });
  const response = new messages.ServerResponse(request);
  const prototypes = () => [request, response].map((message) => Object.getPrototypeOf(message) as object);
  const born = prototypes();
  let handled: object[] = [];
  app.get('/', () => (handled = prototypes()));
  app(request as unknown as Request, response as unknown as Response);
  // Compares identity, not only value: Express must find nothing to change.
  expect(handled.map((prototype, i) => prototype === born[i])).toEqual([true, true]);
  expect([(request as unknown as Request).path, (request as unknown as Request).app === app]).toEqual([
    '/',
    true,
  ]);
});
