// Runs on Deno and Bun with the published package and no key, and prints the error.
import { PetStoreClient } from '@petstore/client';

try {
  new PetStoreClient({ baseUrl: 'http://127.0.0.1/v1' });
} catch (error) {
  console.log(String(error));
}
