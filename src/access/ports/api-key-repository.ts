import type { ApiKey } from '../domain/api-key.js';

/** What the key ring needs from storage. */
export abstract class ApiKeyRepository {
  /** Stores a new key as a single step; one whose secret is there already stays as it was. @returns whether it is new */
  abstract add(key: ApiKey): Promise<boolean>;
  abstract findByHash(secretHash: string): Promise<ApiKey | undefined>;
  /** Whether no key was ever issued. */
  abstract isEmpty(): Promise<boolean>;
}
