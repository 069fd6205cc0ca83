import { Injectable, Module } from '@nestjs/common';
import { expect, it } from 'vitest';
import { makeReady } from '../../../src/configure-app.js';
import { Check, problem, warning } from '../../../src/platform/doctor/check.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

const IN_MEMORY = { create: async () => ({ url: 'sqlite::memory:', drop: async () => undefined }) };

@Injectable()
class Weather extends Check {
  readonly name = 'weather';
  readonly needs = 'nothing';
  override readonly atStart = true;

  override run() {
    return Promise.resolve([warning('It rains.', 'Wait.')]);
  }
}

@Injectable()
class Roof extends Check {
  static leaks = false;
  readonly name = 'roof';
  readonly needs = 'schema';

  override run() {
    return Promise.resolve(Roof.leaks ? [problem('The roof leaks.', 'Mend it.')] : []);
  }
}

@Module({ providers: [Weather, Roof] })
class WeatherModule {}

it('A start says what its checks found, unless it is told to stop: what that closes under them is no finding', async () => {
  const log = new Recorder();
  const environment = { LOG_LEVEL: 'warn' };
  const service = await startService(IN_MEMORY, { environment, modules: [WeatherModule], log });
  const said = () => log.text.match(/It rains\. Wait\./g)?.length;
  expect(said()).toBe(1);
  await makeReady(service.app);
  expect(said()).toBe(2);
  Roof.leaks = true;
  await expect(makeReady(service.app)).rejects.toThrow('The roof leaks.');

  service.app.get(Readiness).markStopping();
  await makeReady(service.app);
  Roof.leaks = false;
  await makeReady(service.app);
  expect(said()).toBe(2);
  await service.stop();
});
