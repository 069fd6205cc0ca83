import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import {
  CreateOperation,
  DeclaredScopes,
  ListOperation,
  Operation,
  Public,
  RequireScope,
  Scopes,
} from '../../../src/platform/http/index.js';
import { Routes } from '../../support/rooms/http.js';
import { sqlite } from '../../support/engines.js';
import { startService } from '../../support/service.js';

describe('a scope that no key can have', () => {
  const SUCCESS = { status: 200, description: 'It.', body: class Odd {} };
  const USUAL = { name: 'odd', scope: '', body: class Odd {} };

  it.each<[string, string, MethodDecorator]>([
    ['is written in another way', 'Any Old:Thing', RequireScope('Any Old:Thing')],
    ['is empty', '', RequireScope('')],
    [
      'is empty in @Operation',
      '',
      Operation({ name: 'odd', scope: '', summary: 'Odd.', description: 'Odd.', success: SUCCESS }),
    ],
    ['is empty in @ListOperation', '', ListOperation('odds', { ...USUAL, listName: 'Odds' })],
    ['is empty in @CreateOperation', '', CreateOperation('odd', USUAL)],
  ])('ends the start if a handler requires it: it %s', async (_, scope, requirement) => {
    @Controller('odd')
    class OddController {
      @Get()
      @requirement
      list() {
        return [];
      }
    }
    const odd = { module: class Odd {}, controllers: [OddController] };
    await expect(startService(sqlite, { samples: [odd] })).rejects.toThrow(
      `OddController.list requires the scope "${scope}", which no key can have. A scope is an area and a verb, such as pets:read`,
    );
  });

  it('ends the start if a route without a key requires it', async () => {
    @Public()
    @Controller('odd')
    class OddController {
      @Get()
      @RequireScope('odds:read')
      list() {
        return [];
      }
    }
    const odd = { module: class Odd {}, controllers: [OddController] };
    await expect(startService(sqlite, { samples: [odd] })).rejects.toThrow(
      'OddController.list is public, so that nobody is asked for its scope odds:read. Remove the scope, or @Public().',
    );
  });

  it.each([
    ...'pets pets: :read Pets:read pets:Read pets:read:all 2pets:read'.split(' '),
    '',
    'pets:read all',
    'pets:read\n',
    `${'p'.repeat(32)}:read`,
    `pets:${'r'.repeat(18)}`,
  ])('cannot be declared: %j', async (scope) => {
    @Scopes('pets:feed', scope)
    @Module({ imports: [DiscoveryModule], providers: [Routes, DeclaredScopes] })
    class Odd {}
    const app = await Test.createTestingModule({ imports: [Odd] }).compile();
    const declared = app.get(DeclaredScopes);
    expect(() => declared.all()).toThrow(`Odd declares the scope "${scope}", which`);
  });
});
