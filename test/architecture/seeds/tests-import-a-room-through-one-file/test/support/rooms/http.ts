export { Cursor } from '../../../src/platform/http/lists/pager.js';
