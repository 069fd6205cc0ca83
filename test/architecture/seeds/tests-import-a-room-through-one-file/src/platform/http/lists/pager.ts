export class Pager {}
export class Cursor {}
