import type { Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ErrorCatalogue, Routes } from './rooms/http.js';

export async function catalogueOf(...controllers: Type[]): Promise<ErrorCatalogue> {
  const providers = [Routes, ErrorCatalogue];
  const app = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers,
  }).compile();
  return app.get(ErrorCatalogue);
}
