import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostersModule } from '../../support/modules/posters-module.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Further features from Nest's documentation: test/support/modules/posters-module.ts. */
describe('a module with files, forms and interceptors', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService(sqlite, { samples: [PostersModule] })));
  afterAll(() => service.stop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/posters${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${service.secret}`, ...init.headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });

  it.each(['named', 'file'])(
    'is refused a header that cannot be sent, and the service goes on: %s',
    async (path) => {
      const refused = await ask(`/${path}?name=${encodeURIComponent('日本.txt')}`);
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        500,
        expect.objectContaining({ code: 'internal_error' }),
      ]);
      const { status, headers } = await ask(`/${path}?name=cat.txt`);
      expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="cat.txt"']);
    },
  );

  it('answers a file that cannot be read in the Error body, or as its module says, and cuts what has begun', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await ask('/missing', { method });
      expect([status, headers.get('content-disposition'), headers.get('content-type')]).toEqual([
        500,
        null,
        'application/json; charset=utf-8',
      ]);
      if (method === 'GET') expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 });
    }
    expect(await ask('/missing-as-told')).toMatchObject({ status: 404, text: 'Not here.' });
    await expect(ask('/cut')).rejects.toThrow('terminated');
    expect((await ask('/framed')).status).toBe(200);
  });

  it('sends a header of every answer as it says', async () => {
    const { headers } = await ask('/framed');
    expect(
      ['x-frame-options', 'referrer-policy', 'x-content-type-options'].map((name) => headers.get(name)),
    ).toEqual(['SAMEORIGIN', null, 'nosniff']);
  });

  it('has interceptors that work on what lists and stored answers consist of', async () => {
    expect((await ask('')).text).toBe('{"data":[{"id":9007199254740993}]}');
    const key = { 'Idempotency-Key': 'poster-1' };
    const first = await post('', { title: 'Lost' }, key);
    expect([first.status, first.text]).toEqual([201, '{"data":{"id":9007199254740993,"title":"Lost"}}']);
    const again = await post('', { title: 'Lost' }, key);
    expect([again.status, again.headers.get('idempotency-replayed'), again.text]).toEqual([
      201,
      'true',
      first.text,
    ]);
  });

  it('may answer with an object of its own that changes', async () => {
    const view = (key: string) => post('/views', { title: 'Lost' }, { 'Idempotency-Key': key });
    const texts = [await view('view-1'), await view('view-2'), await ask('/views'), await view('view-1')];
    expect(texts.map(({ text }) => text)).toEqual([
      '{"count":1}',
      '{"count":2}',
      '{"count":2}',
      '{"count":1}',
    ]);
  });

  it('passes a request on to nobody', async () => {
    const { status, text } = await ask('/passed-on');
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
  });

  it('has method decorators that put a function of theirs around a handler', async () => {
    expect(await ask('/logged?name=Rex')).toMatchObject({ status: 200, text: '{"name":"Rex"}' });
    expect((await ask('/logged?nam=Rex')).text).toContain('did you mean name');
    expect(await post('/logged', { title: 'Lost' })).toMatchObject({ status: 201, text: '{"title":"Lost"}' });
    expect((await post('/logged', { title: 1 })).text).toContain('"field":"/title"');
  });

  it('has a body of a class that is part of itself', async () => {
    const caption = { text: 'a', below: [{ text: 'b', below: [] }] };
    expect(await post('/captions', caption)).toMatchObject({ status: 201, text: JSON.stringify(caption) });
    const wrong = await post('/captions', {
      text: 'a',
      below: [{ text: 'b', below: [{ text: 1, below: [] }] }],
    });
    expect(wrong.text).toContain('"field":"/below/0/below/0/text"');
  });

  it('has bodies that a parser of its own has read', async () => {
    const form = (title: string) => ask('/forms', { method: 'POST', body: new URLSearchParams({ title }) });
    expect(await form('Lost')).toMatchObject({ status: 201, text: '{"title":"Lost"}' });
    const scan = { method: 'POST', headers: { 'Content-Type': 'image/png' }, body: '12345' };
    expect(await ask('/scans', scan)).toMatchObject({ status: 201, text: '{"length":5}' });
  });

  it('takes an upload with its fields, where the route says so', async () => {
    const form = () => {
      const data = new FormData();
      data.set('image', new Blob(['12345']), 'cat.png');
      return data;
    };
    const whole = form();
    whole.set('title', 'Lost');
    expect(await ask('/images', { method: 'POST', body: whole })).toMatchObject({
      status: 201,
      text: '{"originalname":"cat.png","size":5,"title":"Lost"}',
    });
    expect((await ask('/images', { method: 'POST', body: form() })).text).toContain('"field":"/title"');
    expect((await ask('/captions', { method: 'POST', body: whole })).status).toBe(415);
  });
});
