import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { CreateJobs } from './create-jobs.migration.js';
import { JobRepository, JobSchema } from './job-repository.js';
import { Jobs } from './jobs.js';

@Migrations(CreateJobs)
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([JobSchema])],
  providers: [JobRepository, Jobs],
})
export class JobsModule {}
