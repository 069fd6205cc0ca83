export interface Settings {
  readonly limit: number;
}
