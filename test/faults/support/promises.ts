/** What the service promises under faults; `elsewhere` is where a promise is tested if not in these tests. */
export const PROMISES: Readonly<Record<number, { readonly promise: string; readonly elsewhere?: string }>> = {
  1: { promise: 'the service is killed: no acknowledged write is lost (SQLite)' },
  2: { promise: 'an acknowledgement is lost: sent again, nothing is done twice' },
  3: { promise: 'one of three nodes dies: nothing lost, nothing doubled, writes go on within 3 s' },
  4: { promise: 'all nodes die: no acknowledged write is lost' },
  5: { promise: 'half of all units are rolled back: they take nothing with them, nobody sees them' },
  6: { promise: 'fifty rivals for one animal: exactly one gets it' },
  7: { promise: 'the database is away: 503 within 100 ms, works again within 1 s of its return' },
  8: { promise: 'the database is frozen: every request is answered by the time limits of statements' },
  9: { promise: 'what one replica has acknowledged, the next one shows' },
  10: { promise: 'a minority of nodes is left: it accepts no write, /readyz says so within 3 s' },
  11: {
    promise:
      'four times too much work, behind HAProxy: most of the peak is still done, refusals come in time',
  },
  12: { promise: 'SIGTERM: what is in flight is answered, the process ends within 5 s' },
  13: { promise: 'a rolling restart behind a proxy: no request fails' },
  14: {
    promise:
      'slow and silent clients: closed within 7 s; who fetches no answer, and what never ends, within 17 s',
  },
  15: { promise: 'anything at all is sent: the answer is the documented one', elsewhere: 'test/fuzz' },
  16: { promise: 'SQL in any field or parameter: no row is shown or changed' },
  17: { promise: 'malformed HTTP and JSON: refused, memory stays' },
  18: { promise: 'five replicas start together: all are ready, each migration ran once' },
  19: { promise: 'the database is absent at the start: alive, not ready, ready within 2 s of its coming' },
  20: { promise: 'disk full, broken file, two services on one file: refused, nothing lost' },
  21: { promise: 'secrets stand in no answer and no log line', elsewhere: 'test/e2e/access/secrets.test.ts' },
  22: { promise: 'a soak with faults: memory, files and connections do not grow' },
  23: { promise: 'a JSON text of any kind: stored as what it means, or refused by the right name' },
  24: { promise: 'HTTP/1.1, section by section: what the RFC says is what happens' },
  25: { promise: 'smuggled requests, behind HAProxy too: none is done, nobody gets the answer of another' },
  26: { promise: 'naughty strings: kept as they are, or refused by the right name' },
  27: {
    promise:
      'whatever goes wrong, clients of all replicas see one history, in which nothing is lost or done twice',
  },
  28: { promise: 'keys are guessed: whoever has a good one is served as before' },
  29: { promise: 'strangers hold connections and places, behind HAProxy: whoever has a good key is served' },
};
