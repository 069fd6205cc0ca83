import { SECRET } from '../../support/load/caller.js';

/** The id that only a smuggled request has. */
export const HIDDEN_ID = 'smuggled';
/** The name of an animal that only a smuggled request adds. */
export const HIDDEN_NAME = 'Smuggled';

const headers = `Host: a\r\nX-Request-Id: ${HIDDEN_ID}\r\nAuthorization: Bearer ${SECRET}\r\n`;
const pet = JSON.stringify({ name: HIDDEN_NAME, categoryId: 1 });

/** What is hidden in a message, to be taken for a request; the read finds no pet, because none is sold. */
export const HIDDEN_READ = `GET /v1/pets?status=sold HTTP/1.1\r\n${headers}\r\n`;
export const HIDDEN_WRITE = `POST /v1/pets HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`;
