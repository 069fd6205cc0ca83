import { Module } from '@nestjs/common';
import { UseCaseSpans } from './use-case-spans.js';

@Module({ providers: [UseCaseSpans] })
export class TracingModule {}
