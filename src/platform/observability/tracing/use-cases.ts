import 'reflect-metadata';
import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { withTimeout } from '../../ops/process/timeout.js';
import { type Tracing, tracing } from './tracing.js';

type Constructor = abstract new (...args: never[]) => object;

const USE_CASES = Symbol('use-cases');

/** For a module: lists the classes whose methods are its use cases, each of which gets a span. */
export function UseCases(...classes: Constructor[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(USE_CASES, classes, module);
}

function useCasesOf(module: object): Constructor[] {
  return (Reflect.getMetadata(USE_CASES, module) as Constructor[] | undefined) ?? [];
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** How long an unavailable collector may delay the end of the process. */
const FLUSH_TIMEOUT_MS = 500;

@Injectable()
export class UseCaseSpans implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    const { current } = tracing;
    if (!current) return;
    for (const { metatype, providers } of this.modules.values()) {
      for (const useCases of useCasesOf(metatype))
        addSpans(providers.get(useCases)?.instance as Methods, current);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const flushed = tracing.current?.flush().catch(() => undefined);
    if (flushed) await withTimeout(flushed, FLUSH_TIMEOUT_MS, () => undefined);
  }
}

function addSpans(instance: Methods, current: Tracing): void {
  const { name } = instance.constructor;
  const prototype = Object.getPrototypeOf(instance) as Methods;
  for (const method of Object.getOwnPropertyNames(prototype)) {
    const original = prototype[method]!;
    if (method === 'constructor' || typeof original !== 'function') continue;
    instance[method] = (...args) =>
      current.useCase(`${name}.${method}`, () => original.apply(instance, args));
  }
}

@Module({ providers: [UseCaseSpans] })
export class TracingModule {}
