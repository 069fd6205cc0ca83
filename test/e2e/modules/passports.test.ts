import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine, sqlite } from '../../support/engines.js';
import { MAX_SCAN, PassportsModule } from '../../support/modules/passports-module.js';
import { type Service, startService } from '../../support/service.js';

const PDF = Buffer.from('%PDF-1.7\n\u00e9\u0000\ufffd');

/** The recipes for an upload and a download of docs/module-recipes.md. Forms that do not fit the document: test/fuzz. */
describe('a file', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine, { samples: [PassportsModule] })));
    afterAll(() => service.stop());

    /** A form with a file. */
    const form = (scan: Buffer, name = 'rex.pdf', holder = 'Ada') => {
      const made = new FormData();
      made.set('holder', holder);
      made.set('scan', new Blob([new Uint8Array(scan)]), name);
      return made;
    };
    const send = (body: FormData, headers = {}) =>
      service.client.send('POST', '/v1/passports/pets/7', { body, headers });
    const add = async (scan: Buffer, name?: string) => {
      const { status, json, text } = await send(form(scan, name));
      expect(status, text).toBe(201);
      return `/v1/passports/${(json as { id: number }).id}`;
    };

    it('is stored, and sent back with each of its bytes', async () => {
      const { status, bytes, headers } = await service.client.get(await add(PDF));
      expect([status, bytes]).toEqual([200, PDF]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(PDF.length),
        'content-disposition': 'attachment; filename=rex.pdf',
        'cache-control': 'private, no-cache',
        vary: 'Authorization, Accept',
      });
    });

    it('of the largest size is stored, and a larger one is rejected', async () => {
      const largest = Buffer.alloc(MAX_SCAN, PDF);
      expect((await service.client.get(await add(largest))).bytes).toEqual(largest);
      const { status, json } = await send(form(Buffer.alloc(MAX_SCAN + 1, PDF)));
      expect([status, json]).toMatchObject([413, { message: 'File too large' }]);
    });

    it('that is sent again is stored once, and another file under its key is rejected', async () => {
      const headers = { 'Idempotency-Key': 'passport-1' };
      const first = await send(form(PDF), headers);
      const again = await send(form(PDF), headers);
      expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', first.text]);
      for (const other of [
        form(Buffer.concat([PDF, PDF])),
        form(PDF, 'mia.pdf'),
        form(PDF, 'rex.pdf', 'Bob'),
      ]) {
        const { status, json } = await send(other, headers);
        expect([status, json]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
      }
    });

    if (engine !== sqlite) return;

    it.each([
      [
        'Pass für 日本.pdf',
        `attachment; filename="Pass f?r ??.pdf"; filename*=UTF-8''Pass%20f%C3%BCr%20%E6%97%A5%E6%9C%AC.pdf`,
      ],
      ['"a"; x=\\b.pdf', 'attachment; filename=b.pdf'],
    ])('keeps its name, which may have any character: %s', async (name, disposition) => {
      const { headers } = await service.client.get(await add(PDF, name));
      expect(headers.get('content-disposition')).toBe(disposition);
    });

    it('is not sent to a client that has it', async () => {
      const path = await add(PDF);
      const first = await service.client.get(path);
      const headers = { 'If-None-Match': first.headers.get('etag')! };
      const again = await service.client.get(path, { headers });
      expect([again.status, again.text]).toEqual([304, '']);
      for (const name of ['content-type', 'content-disposition', 'content-length'])
        expect(again.headers.has(name), name).toBe(false);
      const other = await service.client.get(await add(Buffer.concat([PDF, PDF])), { headers });
      expect(other.status).toBe(200);
    });

    it('has the same headers in the response to HEAD, without a body', async () => {
      const path = await add(PDF);
      const [get, head] = [await service.client.get(path), await service.client.send('HEAD', path)];
      for (const name of ['content-type', 'content-disposition', 'content-length', 'etag', 'vary'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      expect(head.bytes).toHaveLength(0);
    });

    it('that does not exist is an error, whose body is not to be saved as a file', async () => {
      const { status, headers, json } = await service.client.get('/v1/passports/404404');
      expect([status, json]).toMatchObject([404, { code: 'passport_not_found' }]);
      expect(headers.get('content-disposition')).toBeNull();
    });

    it('of another type is rejected, and so is a form without a file, or with a field that is not known', async () => {
      const without = new FormData();
      without.set('holder', 'Ada');
      const unknown = form(PDF);
      unknown.set('colour', 'red');
      const answers = [await send(form(Buffer.from('<html>'))), await send(without), await send(unknown)];
      expect(answers.map(({ status, json }) => [status, (json as { message: string }).message])).toEqual([
        [400, expect.stringContaining('expected type is application/pdf')],
        [400, 'File is required'],
        [400, expect.stringContaining('/colour is not known')],
      ]);
    });

    it('is described by the OpenAPI document', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      const { paths, components } = json as unknown as {
        paths: Record<string, Record<string, { requestBody: object; responses: Record<string, object> }>>;
        components: { schemas: Record<string, object> };
      };
      expect(paths['/passports/pets/{petId}']!['post']!.requestBody).toEqual({
        required: true,
        content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/NewPassport' } } },
      });
      expect(components.schemas['NewPassport']).toMatchObject({
        additionalProperties: false,
        required: ['holder', 'scan'],
      });
      expect(paths['/passports/{passportId}']!['get']!.responses['200']).toMatchObject({
        content: { 'application/pdf': {} },
        headers: { 'Content-Disposition': { required: true } },
      });
    });
  }));
