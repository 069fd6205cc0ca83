// Runs on Deno and Bun with the published package and without an environment, and prints the errors.
import { PetStoreClient } from '@petstore/client';

for (const options of [{}, { baseUrl: 'http://127.0.0.1/v1' }]) {
  try {
    new PetStoreClient(options);
  } catch (error) {
    console.log(String(error));
  }
}
