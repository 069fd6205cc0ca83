export class JoiningDataSource {}
