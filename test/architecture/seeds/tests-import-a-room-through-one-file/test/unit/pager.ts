import { Pager } from '../../src/platform/http/index.js';
import { Cursor } from '../../src/platform/http/lists/pager.js';
import { Cursor as Allowed } from '../support/rooms/http.js';

export const used = [Pager, Cursor, Allowed];
