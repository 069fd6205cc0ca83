import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { withTimeout } from '../process/timeout.js';
import { PortCheck } from './port-check.js';
import { Check, type CheckResult, ok, problem, type Repair, type Requirement } from './check.js';

export type Diagnosis = CheckResult & { readonly check: string };

/** The service could serve nothing, or would give wrong answers. */
export class Broken extends Error {
  constructor(found: readonly Diagnosis[]) {
    super(found.map(sentencesOf).join('\n'));
  }
}

export const sentencesOf = ({ what, remedy }: CheckResult): string => `${what} ${remedy}`;

/** A person waits for the result; a check that takes longer is a problem. */
const CHECK_TIMEOUT_MS = 2_000;
/** A start may take longer: a busy machine, as when all replicas start at once, must not prevent it. */
const START_TIMEOUT_MS = 30_000;

@Injectable()
export class Doctor {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Runs all checks with this requirement at once. @returns their results, ordered by name */
  async run(requirement: Requirement): Promise<Diagnosis[]> {
    const results = await this.#resultsOf(({ needs }) => needs === requirement, CHECK_TIMEOUT_MS);
    return results.sort((one, other) => one.check.localeCompare(other.check));
  }

  /**
   * Runs the checks for the start of a service, once the database is open. @returns the problems that do not prevent the start
   * @throws Broken
   */
  async start(): Promise<Diagnosis[]> {
    const schema = await this.#resultsOf(({ needs }) => needs === 'schema', START_TIMEOUT_MS);
    const broken = schema.filter(({ state }) => state === 'problem');
    if (broken.length > 0) throw new Broken(broken);
    const results = await this.#resultsOf(({ atStart }) => atStart, START_TIMEOUT_MS);
    return results.filter(({ state }) => state !== 'ok');
  }

  async repairs(): Promise<Repair[]> {
    return (await Promise.all(this.#checks().map((check) => check.repairs()))).flat();
  }

  async #resultsOf(wanted: (check: Check) => boolean, timeoutMs: number): Promise<Diagnosis[]> {
    const checks = this.#checks().filter(wanted);
    return (await Promise.all(checks.map((check) => resultsOf(check, timeoutMs)))).flat();
  }

  #checks(): Check[] {
    const instances = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    return instances.filter((instance) => instance instanceof Check);
  }
}

async function resultsOf(check: Check, timeoutMs: number): Promise<Diagnosis[]> {
  try {
    const results = await withTimeout(check.run(), timeoutMs, () => {
      throw new Error(`no answer within ${timeoutMs} ms`);
    });
    return results.map((result) => ({ check: check.name, ...result }));
  } catch (error) {
    const what = `The check failed: ${reasonOf(error)}`;
    const remedy = 'Look at what it says, then run the doctor again.';
    return [{ check: check.name, ...problem(what, remedy) }];
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const reason = cause instanceof Error ? cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

/** See `engines` in package.json. */
const MINIMUM = [20, 19] as const;

/** Whether the service is tested with this version of Node.js. */
@Injectable()
export class NodeCheck extends Check {
  readonly name = 'node';
  readonly needs = 'nothing';

  override async run(version = process.versions.node) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const good = major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
    const what = `Node.js is ${version}`;
    return [
      good ? ok(`${what}.`) : problem(`${what}, which is too old.`, `Install ${MINIMUM.join('.')} or newer.`),
    ];
  }
}

@Module({ imports: [DiscoveryModule], providers: [NodeCheck, PortCheck, Doctor] })
export class DoctorModule {}
