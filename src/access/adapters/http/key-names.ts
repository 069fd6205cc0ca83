import { Injectable } from '@nestjs/common';
import { CallerNames } from '../../../platform/http/caller.js';
import { ApiKeyService } from '../../application/api-key-service.js';

/** Names a caller by the name of its key. */
@Injectable()
export class KeyNames extends CallerNames {
  constructor(private readonly apiKeys: ApiKeyService) {
    super();
  }

  override async all(): Promise<ReadonlyMap<string, string>> {
    const keys = await this.apiKeys.list();
    return new Map(keys.map(({ props: { id, name } }) => [String(id), name]));
  }
}
