import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DatabaseUnusable, reasonOf } from '../../database/errors.js';
import { withTimeout } from '../process/timeout.js';
import { type Check, CHECKS } from './checks.js';
import { DoctorCheck, type Finding, problem } from './doctor-check.js';

/** For all checks together. Closing connections that hang takes 2 s more, and a person waits 10 s at most. */
const TIMEOUT_MS = 5_000;

export type Diagnosis = { readonly check: string } & Finding;

/** Runs all checks, for the start and for `petstore doctor`. They end within their time limit, whatever hangs. */
export async function runChecks(app: INestApplicationContext): Promise<Diagnosis[]> {
  const end = performance.now() + TIMEOUT_MS;
  const late = () => [problem(`No response within ${TIMEOUT_MS / 1_000} s.`, 'Find out what keeps it busy.')];
  const running = new Map<string | undefined, Promise<readonly Finding[]>>();
  const run = async (check: Check): Promise<Diagnosis[]> => {
    const needed = await running.get(check.after);
    if (needed && !(needed.length > 0 && needed.every(({ state }) => state !== 'problem'))) return [];
    const found = await withTimeout(check.run(app).catch(failed), end - performance.now(), late);
    return found.map((finding) => ({ check: check.name, ...finding }));
  };
  const found: Promise<Diagnosis[]>[] = [];
  for (const check of CHECKS.toSpliced(-1, 0, ...ofModules(app))) {
    const diagnoses = run(check);
    running.set(check.name, diagnoses);
    found.push(diagnoses);
  }
  return (await Promise.all(found)).flat();
}

const ofModules = (app: INestApplicationContext): DoctorCheck[] =>
  app
    .get(DiscoveryService)
    .getProviders()
    .flatMap(({ instance }) => (instance instanceof DoctorCheck ? instance : []));

function failed(error: unknown): Finding[] {
  if (error instanceof DatabaseUnusable) return [problem(error.what, error.remedy)];
  return [problem(`The check failed: ${reasonOf(error)}.`, 'Remove the cause, then run petstore doctor.')];
}
