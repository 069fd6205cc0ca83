import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Doctor } from './doctor.js';
import { NodeCheck } from './node-check.js';

/** Finds the checks that all modules provide. */
@Module({ imports: [DiscoveryModule], providers: [NodeCheck, Doctor] })
export class DoctorModule {}
