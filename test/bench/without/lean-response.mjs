/** Node's own store of headers. */
export { ServerResponse as LeanResponse } from 'node:http';
