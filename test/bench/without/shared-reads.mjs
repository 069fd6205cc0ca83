/** Each request reads for itself. */
export class ReadCoalescer {
  get(_name, read) {
    return read();
  }
}
