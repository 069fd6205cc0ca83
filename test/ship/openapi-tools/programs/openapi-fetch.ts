import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript';
import { main, NEW_PET, nextCursor } from './seen';

main(async (baseUrl, key) => {
  const clientOf = (secret: string) =>
    createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
  const client = clientOf(key);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, response } = await client.GET('/pets', { params: { query: { limit: 2, cursor } } });
    names.push(...data!.map(({ name }) => name));
    cursor = nextCursor(response.headers);
  } while (cursor);
  const { data: chosen } = await client.GET('/pets', { params: { query: { id: [2, 1] } } });
  const created = await client.POST('/pets', { body: NEW_PET });
  const petId = created.data!.id;
  const read = await client.GET('/pets/{petId}', { params: { path: { petId } } });
  const refused = await client.POST('/pets', { body: { ...NEW_PET, name: ' ' } });
  const stranger = await clientOf('nobody').GET('/pets');
  return {
    names,
    chosen: chosen!.map(({ id }) => id),
    created: created.response.status,
    read: read.data!.name,
    refused: [refused.error!.status, refused.error!.code],
    stranger: [stranger.error!.status, stranger.error!.code],
  };
});
