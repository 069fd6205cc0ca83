import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { SleepingClock } from '../../support/clocks.js';
import { onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

const THIEF = '192.0.2.1';
const NEIGHBOUR = '192.0.2.2';
/** The maximum number of delayed rejections of one address; a few more exhaust the address. */
const MAX_OF_ADDRESS = 250;
const ENOUGH = MAX_OF_ADDRESS + 20;
const REFUSED = /^HTTP\/1.1 401 [^]*"invalid_api_key"/;

let guesses = 0;
/** An unknown key, different each time. */
const wrongKey = () => `a-guess-that-nobody-made-before-${(guesses += 1)}`;
const request = (key: string, { from = THIEF, target = '/v1/pets?limit=1' } = {}) =>
  `GET ${target} HTTP/1.1\nHost: here\nX-Forwarded-For: ${from}\nAuthorization: Bearer ${key}\n\n`;
const probe = (key: string, from?: string) => request(key, { target: '/readyz', ...(from && { from }) });

describe('a guessed key', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let clock: SleepingClock;
    let wires: Wire[];
    const start = async (more: Record<string, string> = {}) => {
      wires = [];
      clock = new SleepingClock();
      const environment = { TRUST_PROXY: 'loopback', REQUEST_TIMEOUT: '60000', ...more };
      service = await startService(engine, { clock, environment });
    };
    afterEach(async () => {
      for (const wire of wires) wire.hangUp();
      clock.wake();
      await service.stop();
    });

    const send = async (...requests: string[]) => {
      const wire = await Wire.to(service.port);
      wires.push(wire);
      wire.send(requests.join(''));
      return wire;
    };
    const answerTo = async (text: string) => (await send(text)).answer();
    const statusOf = async (text: string) => (await answerTo(text)).slice(9, 12);
    const sleepers = (count: number) => eventually(() => Promise.resolve(clock.sleepers === count));
    const issue = async () =>
      (await service.app.get(ApiKeyService).issue({ name: 'till' }, 'test', 'test')).secret;
    /** Guesses on enough connections to exhaust an address, then closes them. */
    const exhaust = async (address = (_thief: number) => THIEF) => {
      const thieves = await Promise.all(
        Array.from({ length: ENOUGH }, (_, thief) => send(request(wrongKey(), { from: address(thief) }))),
      );
      await eventually(() =>
        Promise.resolve(clock.sleepers + thieves.filter(({ received }) => received).length === ENOUGH),
      );
      for (const thief of thieves) thief.hangUp();
      await sleepers(0);
    };

    describe('in a small service', () => {
      beforeEach(() => start({ MAX_IN_FLIGHT: '2' }));

      it('waits for its refusal in no place of those who are served', async () => {
        const thieves: Wire[] = [];
        for (let i = 1; i <= 10; i++) {
          thieves.push(await send(i % 2 ? request(wrongKey()) : probe(wrongKey())));
          await sleepers(i);
        }
        expect(await statusOf(request(service.secret))).toBe('200');
        expect(await statusOf(request(await issue()))).toBe('200');
        clock.wake();
        for (const [i, thief] of thieves.entries()) {
          expect(await thief.answer()).toMatch(i % 2 ? /\{"status":"ready"\}$/ : REFUSED);
        }
      });

      it('waits no longer than its client, and those in line behind it are not looked at', async () => {
        const wires = [await send(request(wrongKey()), request(wrongKey())), await send(request(wrongKey()))];
        await sleepers(2);
        wires[0]!.hangUp();
        await sleepers(1);
        clock.wake();
        expect(await wires[1]!.answer()).toMatch(REFUSED);
        expect(clock.sleepers).toBe(0);
      });
    });

    describe('of many', () => {
      beforeEach(() => start());

      it('waits in line with the others of its connection, whether it is sent to /readyz or not', async () => {
        const wire = await send(
          request(wrongKey()),
          probe(wrongKey()),
          request(wrongKey()),
          request(await issue()),
        );
        for (let refused = 0; refused < 3; refused++) {
          await sleepers(1);
          clock.wake();
        }
        expect(await wire.answer(4)).toMatch(/^HTTP\/1.1 200 /);
        for (const first of [1, 3]) expect(await wire.answer(first)).toMatch(REFUSED);
        expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 [^]*\{"status":"ready"\}$/);
      });

      it('is refused unseen, with other keys of its address that are new; no other address suffers', async () => {
        expect(await statusOf(request(service.secret))).toBe('200');
        clock.advance(5_000);
        await exhaust();
        // A key that was good at its last read is still looked up.
        expect(await statusOf(request(service.secret))).toBe('200');
        expect(await answerTo(probe(service.secret))).toMatch(/"reasons":\[\]\}$/);
        const refused = await answerTo(request(await issue()));
        expect(refused).toMatch(/^HTTP\/1.1 429 [^]*\r\nRetry-After: 1\r\n[^]*"too_many_requests"/);
        expect(await answerTo(probe(wrongKey()))).toMatch(/^HTTP\/1.1 200 [^]*\{"status":"ready"\}$/);
        expect(await statusOf(request(await issue(), { from: NEIGHBOUR }))).toBe('200');
        clock.advance(1_000);
        expect(await statusOf(request(await issue()))).toBe('200');
      });

      it('counts for the whole /64 of an address of IPv6, which one client has for itself', async () => {
        await exhaust((thief) => `2001:db8:1:2::${thief.toString(16)}`);
        expect(await statusOf(request(await issue(), { from: '2001:db8:1:2:ffff::' }))).toBe('429');
        expect(await statusOf(request(await issue(), { from: '2001:db8:1:3::1' }))).toBe('200');
      });

      it('waits in bounded memory: what is pipelined beyond that is refused at once', async () => {
        const wire = await send(...Array.from({ length: MAX_OF_ADDRESS + 10 }, () => request(wrongKey())));
        await sleepers(1);
        expect(await statusOf(request(await issue()))).toBe('200');
        expect(await statusOf(request(wrongKey()))).toBe('401');
        wire.hangUp();
        await sleepers(0);
        await send(request(wrongKey()));
        await sleepers(1);
      });
    });
  }));
