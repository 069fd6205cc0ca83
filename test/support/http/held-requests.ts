import { Controller, type DynamicModule, Get, Post, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { Idempotency } from '../../../src/platform/http/idempotency/idempotency.js';
import { Public } from '../../../src/platform/http/route.decorators.js';
import { eventually } from '../eventually.js';

/** Requests to `/held` that are answered when the test says so: a module to add to a service. */
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

  /** Waits until so many are held. */
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
    private readonly idempotency: Idempotency,
  ) {}

  /** Needs the database when it is let go. */
  @Get()
  async get() {
    await this.held.hold();
    await this.source.query('SELECT 1');
    return { held: true };
  }

  @Post()
  post(@Req() request: Request) {
    return this.idempotency.execute(request, 'HeldController.post', async () => {
      await this.held.hold();
      request.res!.setHeader('Location', '/held/1');
      return { held: true };
    });
  }
}
