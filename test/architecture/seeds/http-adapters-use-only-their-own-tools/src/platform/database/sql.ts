export class Sql {}
