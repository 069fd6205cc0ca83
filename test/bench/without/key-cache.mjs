/** Each request asks the database for its key. */
export class KeyCache {
  get(_secretHash, read) {
    return read();
  }
}
