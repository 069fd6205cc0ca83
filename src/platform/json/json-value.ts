/** A parsed JSON value. Integers that a double cannot hold exactly are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}
