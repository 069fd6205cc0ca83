import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Check, ok } from '../../../../src/platform/doctor/check.js';
import { Doctor } from '../../../../src/platform/doctor/doctor.js';

/** A check whose database responds after `delay` ms, as on a busy machine. */
@Injectable()
class SlowCheck extends Check {
  static delay = 0;
  readonly name = 'slow';
  readonly needs = 'schema';

  override async run() {
    await new Promise((resolve) => setTimeout(resolve, SlowCheck.delay));
    return [ok('All is there.')];
  }
}

describe('A check that takes long', () => {
  let doctor: Doctor;
  beforeEach(async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [Doctor, SlowCheck],
    }).compile();
    doctor = module.get(Doctor);
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('is a problem to whoever asks the doctor', async () => {
    SlowCheck.delay = 10_000;
    const found = doctor.run('schema');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await found).toEqual([
      expect.objectContaining({ state: 'problem', what: 'The check failed: no answer within 2000 ms' }),
    ]);
  });

  it('is waited for at the start, which a busy machine must not refuse', async () => {
    SlowCheck.delay = 10_000;
    const found = doctor.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await found).toEqual([]);
  });

  it('refuses the start when no answer comes at all', async () => {
    SlowCheck.delay = 100_000;
    const refused = expect(doctor.start()).rejects.toThrow('no answer within 30000 ms');
    await vi.advanceTimersByTimeAsync(30_000);
    await refused;
  });
});
