import { createPet, defaults, getPet, listPets } from '../generated/oazapfts';
import { main, NEW_PET, nextCursor } from './seen';

main(async (baseUrl, key) => {
  const as = (secret: string) =>
    Object.assign(defaults, { baseUrl, headers: { Authorization: `Bearer ${secret}` } });
  as(key);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPets({ limit: 2, cursor });
    if (page.status !== 200) throw new Error(String(page.status));
    names.push(...page.data.map(({ name }) => name));
    cursor = nextCursor(page.headers);
  } while (cursor);
  const created = await createPet(NEW_PET);
  if (created.status !== 201) throw new Error(String(created.status));
  const read = await getPet(created.data.id);
  if (read.status !== 200) throw new Error(String(read.status));
  const refused = await createPet({ ...NEW_PET, name: ' ' });
  as('nobody');
  const stranger = await listPets();
  if (refused.status !== 400 || stranger.status !== 401) throw new Error('It was not refused.');
  return {
    names,
    created: created.status,
    read: read.data.name,
    refused: [refused.data.status, refused.data.code],
    stranger: [stranger.data.status, stranger.data.code],
  };
});
