/** What each program observes through its generated client. */
export interface Seen {
  /** Names of all pets, read page by page. */
  readonly names: readonly string[];
  /** The ids of the pets that were listed by their ids. */
  readonly chosen: readonly number[];
  readonly created: number;
  readonly read: string;
  readonly refused: readonly [status: number, code: string];
  /** With a key that was never issued. */
  readonly stranger: readonly [status: number, code: string];
}

export const NEW_PET = { name: 'Generated', categoryId: 7, status: 'available' } as const;

/** The cursor of the next page, from the `Link` header of this one. */
export const nextCursor = (headers: Headers): string | undefined =>
  /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Runs with the base URL and the key from the command line, and prints the result. */
export function main(run: (base: string, key: string) => Promise<Seen>): void {
  const [base = '', key = ''] = process.argv.slice(2);
  void run(base, key).then((seen) => console.log(JSON.stringify(seen)));
}
