import { createPet, getPet, listPets } from '../generated/hey-api';
import { client } from '../generated/hey-api/client.gen';
import { main, NEW_PET, nextCursor } from './seen';

main(async (baseUrl, key) => {
  client.setConfig({ baseUrl, auth: key });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, response } = await listPets({ query: { limit: 2, cursor } });
    names.push(...data!.map(({ name }) => name));
    cursor = nextCursor(response!.headers);
  } while (cursor);
  const { data: chosen } = await listPets({ query: { id: [2, 1] } });
  const created = await createPet({ body: NEW_PET });
  const read = await getPet({ path: { petId: created.data!.id } });
  const refused = await createPet({ body: { ...NEW_PET, name: ' ' } });
  client.setConfig({ auth: 'nobody' });
  const stranger = await listPets();
  return {
    names,
    chosen: chosen!.map(({ id }) => id),
    created: created.response!.status,
    read: read.data!.name,
    refused: [refused.error!.status, refused.error!.code],
    stranger: [stranger.error!.status, stranger.error!.code],
  };
});
