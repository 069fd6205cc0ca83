import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Int64, type Page, UnitOfWork } from '../../../kernel/index.js';
import { forUpdate, insertOnce, keysetPage } from '../../../platform/database/index.js';
import { Receiver } from '../../domain/receiver.js';
import { ReceiverRepository, type ReceiverSelection } from '../../ports/receiver-repository.js';

/** Keeps receivers in the table `receivers`. */
@Injectable()
export class TypeOrmReceiverRepository extends ReceiverRepository {
  constructor(
    @InjectRepository(Receiver) private readonly receivers: Repository<Receiver>,
    private readonly units: UnitOfWork,
  ) {
    super();
  }

  override add(receiver: Receiver): Promise<void> {
    return insertOnce(this.receivers, receiver);
  }

  override async find(id: Int64): Promise<Receiver | undefined> {
    return (await this.receivers.findOneBy({ id })) ?? undefined;
  }

  override list(selection: ReceiverSelection): Promise<Page<Receiver>> {
    return keysetPage(this.receivers.createQueryBuilder('receiver'), selection);
  }

  override async ids(): Promise<Int64[]> {
    const receivers = await this.receivers.find({ select: { id: true }, order: { id: 'ASC' } });
    return receivers.map(({ id }) => id);
  }

  override delete(id: Int64, check: (receiver: Receiver) => void): Promise<Receiver | undefined> {
    return this.units.run(async () => {
      const found = await this.#locked(id);
      if (!found) return undefined;
      check(found);
      await this.receivers.delete({ id });
      return found;
    });
  }

  /** Locks the row until the unit of work ends. */
  async #locked(id: Int64): Promise<Receiver | undefined> {
    const query = this.receivers.createQueryBuilder('receiver').where({ id });
    return (await forUpdate(query).getOne()) ?? undefined;
  }
}
