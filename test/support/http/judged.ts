import type { Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { Routes } from '../../../src/platform/http/routes.js';
import { DtoValidationPipe } from '../../../src/platform/http/validation/validation.pipe.js';

/** The pipe of the service, for no routes. */
export const pipeAlone = () =>
  new DtoValidationPipe(new Routes(new DiscoveryService(new ModulesContainer()), new MetadataScanner()));

/** What the pipe makes of a body, or of a query: an instance of the class, with all problems. */
export async function judged<Dto extends object>(
  dto: Type<Dto>,
  data: object,
  type: 'body' | 'query' = 'body',
) {
  const { made, problems } = await pipeAlone().judge(data, { type, metatype: dto });
  return { dto: made as Dto, problems };
}
