import { gzipSync } from 'node:zlib';
import type { Request } from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BodyMemory, readBody } from '../../../../support/rooms/http.js';
import { eventually } from '../../../../support/eventually.js';
import { departure, Loopback } from '../../../loopback.js';

const ROUTE_LIMIT = 1_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
const TEXT = JSON.stringify('x'.repeat(298));
const ZIPPED = gzipSync(TEXT);

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

let memory: BodyMemory;
beforeEach(() => void (memory = new BodyMemory(1_000)));

const read = (request: Request) =>
  memory.share(request.res!, (share) => readBody(request, ['application/json'], ROUTE_LIMIT, share));
/** Remembers how many bytes it held after each change. */
class RecordingMemory extends BodyMemory {
  readonly history: number[] = [];

  override change(bytes: number): void {
    super.change(bytes);
    this.history.push(this.held);
  }
}

const holds = (bytes: number) => eventually(() => Promise.resolve(memory.held === bytes));
const overloaded = expect.objectContaining({ code: 'overloaded' }) as Error;

describe('the bytes of a body', () => {
  it('are held from their arrival until the end of the response', async () => {
    const { incoming } = await wire.receive({ headers: JSON_TYPE, body: [TEXT] });
    await read(incoming);
    expect(memory.held).toBe(TEXT.length);
    incoming.res!.end();
    await holds(0);
  });

  it('are held as they arrive, whatever length the client announces', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': '900' };
    const { incoming, client } = await wire.receive({ headers, body: ['[1,'], endless: true });
    const reading = read(incoming);
    await holds(3);
    client.write('2,');
    await holds(5);
    client.destroy();
    await expect(reading).rejects.toThrow(expect.objectContaining({ code: 'invalid_json' }));
    await holds(0);
  });

  it('are held while the handler works, and released when its client leaves', async () => {
    const { incoming, client } = await wire.receive({ headers: JSON_TYPE, body: [TEXT] });
    await read(incoming);
    expect(memory.held).toBe(TEXT.length);
    client.destroy();
    await holds(0);
  });

  it('count as the limit of the route while a gzip body inflates, and then as their real number', async () => {
    const recording = new RecordingMemory(1_000);
    const { incoming } = await wire.receive({ headers: GZIP, body: [ZIPPED] });
    await recording.share(incoming.res!, (share) =>
      readBody(incoming, ['application/json'], ROUTE_LIMIT, share),
    );
    expect(recording.history).toEqual([ZIPPED.length, ROUTE_LIMIT, TEXT.length]);
    incoming.res!.end();
    await eventually(() => Promise.resolve(recording.held === 0));
  });

  it('are held until the handler has ended if the client leaves earlier', async () => {
    const { incoming, client } = await wire.receive({ headers: GZIP, body: [ZIPPED] });
    await memory.share(incoming.res!, async (share) => {
      await readBody(incoming, ['application/json'], ROUTE_LIMIT, share);
      const isGone = new Promise((resolve) => incoming.res!.once('close', resolve));
      client.destroy();
      await isGone;
      expect(memory.held).toBe(TEXT.length);
    });
    await holds(0);
  });

  it('are not held if the client left before the body was read', async () => {
    const { incoming, client } = await wire.receive({ headers: JSON_TYPE, body: [TEXT] });
    await departure(incoming, client);
    await expect(read(incoming)).rejects.toThrow();
    expect(memory.held).toBe(0);
  });
});

describe('a body that does not fit', () => {
  /** Another request, which holds bytes. */
  const other = async (body: string) => {
    const { incoming } = await wire.receive({ headers: JSON_TYPE, body: [body] });
    await read(incoming);
    return incoming;
  };

  it('is rejected when its bytes have arrived, is dropped, and holds no memory', async () => {
    const before = await other('x'.repeat(900));
    const { incoming } = await wire.receive({
      headers: JSON_TYPE,
      body: ['[1]', 'x'.repeat(90), ' '.repeat(50)],
    });
    await expect(read(incoming)).rejects.toThrow(overloaded);
    expect(memory.held).toBe(900);
    await eventually(() => Promise.resolve(incoming.complete && incoming.readableEnded));
    expect(memory.held).toBe(900);
    incoming.res!.end();
    before.res!.end();
    await holds(0);
    // There is memory again.
    await other('x'.repeat(1_000));
  });

  it('is rejected before it inflates if the limit of its route does not fit', async () => {
    const before = await other('[]');
    const { incoming } = await wire.receive({ headers: GZIP, body: [ZIPPED] });
    await expect(read(incoming)).rejects.toThrow(overloaded);
    expect(memory.held).toBe(2);
    before.res!.end();
    await holds(0);
  });

  it('exceeds the limit of its route, and later bytes of it are not counted', async () => {
    const message = { headers: JSON_TYPE, body: ['x'.repeat(ROUTE_LIMIT + 1)], endless: true };
    const { incoming, client } = await wire.receive(message);
    memory = new BodyMemory(2 * ROUTE_LIMIT);
    await expect(read(incoming)).rejects.toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    const more = new Promise((resolve) => incoming.once('data', resolve));
    client.write('x'.repeat(10));
    await more;
    expect(memory.held).toBe(0);
    client.destroy();
  });

  it.each([
    ['is too long for its route', { headers: JSON_TYPE, body: ['x'.repeat(500), 'x'.repeat(500), 'x'] }],
    ['inflates to more than the limit of its route', { headers: GZIP, body: [gzipSync('x'.repeat(1_001))] }],
    ['is not gzip', { headers: GZIP, body: [TEXT] }],
    ['has another media type', { headers: { 'Content-Type': 'text/plain' }, body: [TEXT] }],
  ])('holds no memory after its rejection: it %s', async (_, message) => {
    const { incoming } = await wire.receive(message);
    await expect(read(incoming)).rejects.toThrow();
    expect(memory.held).toBe(0);
    incoming.res!.end();
    await new Promise((resolve) => incoming.res!.once('close', resolve));
    expect(memory.held).toBe(0);
  });
});
