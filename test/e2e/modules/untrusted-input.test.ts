import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, NotFoundException, Param, Query, Res } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  Repository,
  Table,
} from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Migrations } from '../../../src/platform/database/index.js';
import { Public } from '../../../src/platform/http/index.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const home = mkdtempSync(join(tmpdir(), 'petstore-files-'));
const FOLDER = join(home, 'leaflets');

@Entity('owners')
class Owner {
  @PrimaryColumn('int')
  id!: number;

  @Column({ type: 'varchar', length: 60 })
  name!: string;

  @Column({ type: 'varchar', length: 60, select: false })
  note!: string;
}

class CreateOwners implements MigrationInterface {
  readonly name = 'CreateOwners1900000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { dataSource } = runner;
    await runner.createTable(Table.create(dataSource.getMetadata(Owner), dataSource.driver));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('owners');
  }
}

/** The pages to which the service redirects, by the name that a client sends. */
const PAGES: ReadonlyMap<string, string> = new Map([['help', '/docs/']]);

/** Uses input in the ways that the recipes call safe. */
@Public()
@Controller()
class OwnersController {
  constructor(@InjectRepository(Owner) private readonly owners: Repository<Owner>) {}

  @Get('owners')
  find(@Query('name') name: string): Promise<unknown> {
    return this.owners.query('SELECT id FROM owners WHERE name = ?', [name]);
  }

  @Get('saved-owner')
  async save(): Promise<object> {
    const { id, name } = await this.owners.save({ id: 2, name: 'Bea', note: 'secret' });
    return { id, name };
  }

  @Get('leaflets/:name')
  leaflet(@Param('name') name: string, @Res() response: Response): void {
    response.sendFile(name, { root: FOLDER });
  }

  @Get('pages')
  page(@Query('to') to: string, @Res() response: Response): void {
    const page = PAGES.get(to);
    if (page === undefined) throw new NotFoundException('There is no such page.');
    response.redirect(page);
  }
}

@Migrations(CreateOwners)
@Module({ imports: [TypeOrmModule.forFeature([Owner])], controllers: [OwnersController] })
class OwnersModule {}

describe('the ways of using input that the recipes call safe', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, 'care.txt'), 'feed daily');
      writeFileSync(join(home, 'secret.txt'), 'secret');
      service = await startService(engine, { samples: [OwnersModule] });
      await service.app.get<Repository<Owner>>('OwnerRepository').insert({ id: 1, name: "O'Neil", note: '' });
    });
    afterAll(async () => {
      await service.stop();
      rmSync(home, { recursive: true, force: true });
    });
    const ask = (path: string) =>
      fetch(`${service.stranger.origin}/v1${path}`, { redirect: 'manual' }).then(async (response) => ({
        status: response.status,
        location: response.headers.get('Location'),
        text: await response.text(),
      }));

    it('find a text that looks like SQL, and read no other table', async () => {
      expect((await ask("/owners?name=O'Neil")).text).toBe('[{"id":1}]');
      const name = encodeURIComponent("' UNION SELECT secret_hash FROM api_keys -- ");
      expect(await ask(`/owners?name=${name}`)).toMatchObject({ status: 200, text: '[]' });
    });

    it('return only the members that the handler names', async () => {
      expect((await ask('/saved-owner')).text).toBe('{"id":2,"name":"Bea"}');
    });

    it('send the files of a folder, and no others', async () => {
      expect((await ask('/leaflets/care.txt')).text).toBe('feed daily');
      for (const name of [
        '..%2fsecret.txt',
        '%2e%2e%2fsecret.txt',
        encodeURIComponent(join(home, 'secret.txt')),
      ]) {
        const { status, text } = await ask(`/leaflets/${name}`);
        expect([name, [403, 404].includes(status), text.includes('secret')]).toEqual([name, true, false]);
      }
    });

    it('redirect to known pages, and to no others', async () => {
      expect(await ask('/pages?to=help')).toMatchObject({ status: 302, location: '/docs/' });
      expect(await ask('/pages?to=https://evil.example')).toMatchObject({ status: 404, location: null });
    });
  }));
