import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Check, type CheckResult, ok, problem, type Repair } from '../../doctor/check.js';
import { SequenceSchema } from '../sequence/sequences.js';

/** A sequence that would hand out existing ids, for example after a backup of some tables only. */
interface Behind {
  readonly name: string;
  readonly nextId: bigint;
  readonly largest: bigint;
}

/** Whether the next ids are free: otherwise new rows are rejected as duplicates, and the answer is 500. */
@Injectable()
export class SequencesCheck extends Check {
  readonly name = 'ids';
  readonly needs = 'tables';
  override readonly atStart = true;

  constructor(private readonly source: DataSource) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const behind = await this.#behind();
    if (behind.length === 0) return [ok('The next ids are free.')];
    return behind.map(({ name, nextId, largest }) =>
      problem(
        `The next id of ${name} is ${nextId}, but ${largest} is taken: nothing can be added.`,
        'Stop the replicas, which keep ids in memory, run petstore doctor --fix, and start them again.',
      ),
    );
  }

  override async repairs(): Promise<Repair[]> {
    const sequences = this.source.getRepository(SequenceSchema);
    return (await this.#behind()).map(({ name, nextId, largest }) => ({
      what: `Set the next id of ${name} from ${nextId} to ${largest + 1n}`,
      run: async () => void (await sequences.update({ name, nextId }, { nextId: largest + 1n })),
    }));
  }

  async #behind(): Promise<Behind[]> {
    const behind: Behind[] = [];
    const sequences = this.source.getRepository(SequenceSchema);
    for (const { name } of await sequences.find()) {
      const table = this.source.entityMetadatas.find(({ tableName }) => tableName === name);
      if (!table?.findColumnWithPropertyName('id')) continue;
      const found = await this.source
        .getRepository(table.target)
        .createQueryBuilder('thing')
        .select('MAX(thing.id)', 'largest')
        .getRawOne<{ largest: string | number | bigint | null }>();
      const largest = BigInt(found?.largest ?? 0);
      // Read after the existing ids: a running service reserves ids before it uses them.
      const { nextId } = await sequences.findOneByOrFail({ name });
      if (largest >= nextId) behind.push({ name, nextId, largest });
    }
    return behind;
  }
}
