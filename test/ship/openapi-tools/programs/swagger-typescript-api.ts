import {
  Api,
  type Error as ApiError,
  type HttpResponse,
  PetStatus,
} from '../generated/swagger-typescript-api';
import { main, NEW_PET, nextCursor } from './seen';

const PET = { ...NEW_PET, status: PetStatus.Available };

main(async (baseUrl, key) => {
  const clientOf = (secret: string) =>
    new Api({ baseUrl, baseApiParams: { headers: { Authorization: `Bearer ${secret}` } } });
  const { pets } = clientOf(key);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await pets.listPets({ limit: 2, cursor });
    names.push(...page.data.map(({ name }) => name));
    cursor = nextCursor(page.headers);
  } while (cursor);
  const { data: chosen } = await pets.listPets({ id: [2, 1] });
  const created = await pets.createPet(PET);
  const read = await pets.getPet(created.data.id);
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => Promise.reject(new Error('It was not refused.')),
      ({ error }: HttpResponse<unknown, ApiError>) => [error.status, error.code] as const,
    );
  return {
    names,
    chosen: chosen.map(({ id }) => id),
    created: created.status,
    read: read.data.name,
    refused: await errorOf(pets.createPet({ ...PET, name: ' ' })),
    stranger: await errorOf(clientOf('nobody').pets.listPets()),
  };
});
