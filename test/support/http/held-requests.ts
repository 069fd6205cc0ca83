import { Controller, type DynamicModule, Get, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { Idempotent, type Once } from '../../../src/platform/http/idempotency/idempotency.js';
import { Public } from '../../../src/platform/http/route.decorators.js';
import { eventually } from '../eventually.js';

/** A module for tests: requests to `/held` stay in flight until the test releases them. */
export class HeldRequests {
  #waiting: (() => void)[] = [];

  readonly module: DynamicModule = {
    module: class Holding {},
    controllers: [HeldController],
    providers: [{ provide: HeldRequests, useValue: this }],
  };

  hold(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async has(count: number): Promise<void> {
    await eventually(() => Promise.resolve(this.#waiting.length === count));
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

@Public()
@ApiExcludeController()
@Controller({ path: 'held', version: VERSION_NEUTRAL })
class HeldController {
  constructor(
    private readonly held: HeldRequests,
    private readonly source: DataSource,
  ) {}

  /** Queries the database after its release. */
  @Get()
  async get() {
    await this.held.hold();
    await this.source.query('SELECT 1');
    return { held: true };
  }

  @Post()
  post(@Idempotent() once: Once, @Res({ passthrough: true }) response: Response) {
    return once(async () => {
      await this.held.hold();
      response.setHeader('Location', '/held/1');
      return { held: true };
    });
  }
}
