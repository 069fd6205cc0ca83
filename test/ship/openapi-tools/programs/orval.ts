import { createPet, getPet, listPets } from '../generated/orval';
import { main, NEW_PET, nextCursor } from './seen';

main(async (_, key) => {
  const as = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPets({ limit: 2, ...(cursor && { cursor }) }, as(key));
    if (page.status !== 200) throw new Error(String(page.status));
    names.push(...page.data.map(({ name }) => name));
    cursor = nextCursor(page.headers);
  } while (cursor);
  const created = await createPet(NEW_PET, as(key));
  if (created.status !== 201) throw new Error(String(created.status));
  const read = await getPet(created.data.id, as(key));
  if (read.status !== 200) throw new Error(String(read.status));
  const refused = await createPet({ ...NEW_PET, name: ' ' }, as(key));
  const stranger = await listPets({}, as('nobody'));
  if (refused.status !== 400 || stranger.status !== 401) throw new Error('It was not refused.');
  return {
    names,
    created: created.status,
    read: read.data.name,
    refused: [refused.data.status, refused.data.code],
    stranger: [stranger.data.status, stranger.data.code],
  };
});
