/** Each request reads for itself. */
export class SharedReads {
  get(_name, read) {
    return read();
  }
}
