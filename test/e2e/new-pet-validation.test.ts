import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onOneEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const rex = { name: 'Rex', categoryId: 7 };

describe('adding a pet', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const problems = async (body: unknown) => {
      const { status, json } = await service.client.post('/v1/pets', body);
      const { code, details } = json as { code: string; details?: { field: string; code: string }[] };
      return { status, code, details: details?.map((detail) => `${detail.field} ${detail.code}`) };
    };

    it.each<[unknown, string[]]>([
      [{}, ['/name required', '/categoryId required']],
      [{ ...rex, name: null }, ['/name invalid_type']],
      [{ ...rex, name: 7 }, ['/name invalid_type']],
      [{ ...rex, name: '' }, ['/name blank']],
      [{ ...rex, name: ' \u200b\u3164\u00a0' }, ['/name blank']],
      [{ ...rex, name: 'Re\u0000x' }, ['/name control_character']],
      [{ ...rex, name: 'Re\u0085x' }, ['/name control_character']],
      [{ ...rex, name: '🐶'.repeat(256) }, ['/name too_long']],
      ['{"name":"\\ud83d","categoryId":7}', ['/name malformed_text']],
      [{ ...rex, categoryId: '7' }, ['/categoryId invalid_type']],
      [{ ...rex, categoryId: 7.5 }, ['/categoryId invalid_type']],
      ['{"name":"Rex","categoryId":7.00000000000000000000000000001}', ['/categoryId invalid_type']],
      ['{"name":"Rex","categoryId":9223372036854775808}', ['/categoryId out_of_range']],
      ['{"name":"Rex","categoryId":-9223372036854775809}', ['/categoryId out_of_range']],
      ['{"name":"Rex","categoryId":1e400}', ['/categoryId out_of_range']],
      [{ ...rex, categoryId: true }, ['/categoryId invalid_type']],
      [{ ...rex, status: null }, ['/status invalid_enum_value']],
      [{ ...rex, status: 'lost' }, ['/status invalid_enum_value']],
      [{ ...rex, status: ['sold'] }, ['/status invalid_enum_value']],
      [{ ...rex, id: 1 }, ['/id read_only_field']],
      [{ ...rex, colour: 'brown' }, ['/colour unknown_field']],
      [{ ...rex, constructor: 1 }, ['/constructor unknown_field']],
      [{ ...rex, 'a/b~c': 1 }, ['/a~1b~0c unknown_field']],
      [
        { name: '\u0001', categoryId: 'x', status: 'lost', id: 1, tag: 1 },
        [
          '/categoryId invalid_type',
          '/id read_only_field',
          '/name blank',
          '/name control_character',
          '/status invalid_enum_value',
          '/tag unknown_field',
        ],
      ],
      [[], [' invalid_type']],
      ['"Rex"', [' invalid_type']],
      ['null', [' invalid_type']],
    ])('refuses %j and names every problem', async (body, expected) => {
      const refused = await problems(body);
      expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(refused.details?.sort()).toEqual(expected.sort());
    });

    it('guesses what a misspelt field was meant to be', async () => {
      const { json } = await service.client.post('/v1/pets', { ...rex, stauts: 'sold' });
      expect((json as { message: string }).message).toContain('did you mean status');
    });

    it.each([
      ['an empty body', ''],
      ['a truncated body', '{"name":"Rex","categoryId":7'],
      ['a name that comes twice', '{"name":"Rex","name":"Max","categoryId":7}'],
      ['a name that comes twice in disguise', '{"name":"Rex","n\\u0061me":"Max","categoryId":7}'],
      ['__proto__', '{"name":"Rex","categoryId":7,"__proto__":{"status":"sold"}}'],
      ['a byte order mark', '\ufeff{"name":"Rex","categoryId":7}'],
      ['nesting deeper than 32', `${'['.repeat(33)}${']'.repeat(33)}`],
      ['45,000 nested arrays', '['.repeat(45_000)],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['a NUL', '{"name":"Re\u0000x","categoryId":7}'],
      ['a comment', '{"name":"Rex",/* seven */"categoryId":7}'],
      ['NaN', '{"name":"Rex","categoryId":NaN}'],
    ])('refuses %s as invalid JSON', async (_, body) => {
      expect(await problems(body)).toMatchObject({ status: 400, code: 'invalid_json' });
    });

    it.each(['7.0', '70e-1', '0.7e1', '7'])('takes %s for the integer it is', async (spelling) => {
      const answer = await service.client.post('/v1/pets', `{"name":"Rex","categoryId":${spelling}}`);
      expect(answer.json).toMatchObject({ categoryId: 7 });
    });

    it('reads a gzipped body', async () => {
      const body = gzipSync(JSON.stringify(rex));
      const answer = await service.client.post('/v1/pets', body, { headers: { 'Content-Encoding': 'gzip' } });
      expect(answer.status).toBe(201);
    });

    it.each<[string, string | Buffer, Record<string, string>]>([
      ['a body above the limit', JSON.stringify({ ...rex, name: 'x'.repeat(102_400) }), {}],
      [
        'a body that inflates above the limit',
        gzipSync('x'.repeat(10_000_000)),
        { 'Content-Encoding': 'gzip' },
      ],
    ])('refuses %s as too large', async (_, body, headers) => {
      const answer = await service.client.post('/v1/pets', body, { headers });
      expect(answer.status).toBe(413);
      expect(answer.json).toMatchObject({ code: 'payload_too_large' });
    });

    it.each<Record<string, string>>([
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/jsonp' },
      { 'Content-Encoding': 'br' },
    ])('refuses a body sent as %j', async (headers) => {
      const answer = await service.client.post('/v1/pets', rex, { headers });
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({ code: 'unsupported_media_type' });
    });

    it.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
      'takes %s',
      async (type) => {
        expect(
          (await service.client.post('/v1/pets', rex, { headers: { 'Content-Type': type } })).status,
        ).toBe(201);
      },
    );

    it('adds nothing of what it refuses', async () => {
      const before = (await service.client.get('/v1/pets?limit=100')).text;
      await problems({ ...rex, name: '' });
      await problems('{');
      expect((await service.client.get('/v1/pets?limit=100')).text).toBe(before);
    });
  }));
