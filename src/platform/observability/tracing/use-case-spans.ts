import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { withTimeout } from '../../process/timeout.js';
import { type Tracing, tracing } from './tracing.js';
import { useCasesOf } from './use-cases.decorator.js';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** A collector that does not answer holds up the end of the process for so long, in ms. */
const FLUSH_TIMEOUT_MS = 500;

/** Puts a span around each use case, if somebody follows; else everything stays as it is. */
@Injectable()
export class UseCaseSpans implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    const { current } = tracing;
    if (!current) return;
    for (const { metatype, providers } of this.modules.values()) {
      for (const useCases of useCasesOf(metatype))
        follow(providers.get(useCases)?.instance as Methods, current);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const flushed = tracing.current?.flush().catch(() => undefined);
    if (flushed) await withTimeout(flushed, FLUSH_TIMEOUT_MS, () => undefined);
  }
}

function follow(instance: Methods, current: Tracing): void {
  const { name } = instance.constructor;
  const prototype = Object.getPrototypeOf(instance) as Methods;
  for (const method of Object.getOwnPropertyNames(prototype)) {
    const original = prototype[method]!;
    if (method === 'constructor' || typeof original !== 'function') continue;
    instance[method] = (...args) =>
      current.useCase(`${name}.${method}`, () => original.apply(instance, args));
  }
}
