/** Each request does its own read. */
export class ReadCoalescer {
  get(_name, read) {
    return read();
  }
}
