export { Pager } from './lists/pager.js';
