import { Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { UseCaseSpans } from './use-case-spans.js';

@Module({
  providers: [
    {
      provide: UseCaseSpans,
      useFactory: (modules: ModulesContainer) => new UseCaseSpans(modules),
      inject: [ModulesContainer],
    },
  ],
})
export class TracingModule {}
