import 'reflect-metadata';

/** A function that reads something from a class once, and keeps it as metadata of the class. A subclass is read again. */
export function oncePerClass<Found extends object>(read: (type: Function) => Found) {
  const key = Symbol('read once');
  return (type: Function): Found => {
    const known = Reflect.getOwnMetadata(key, type) as Found | undefined;
    if (known) return known;
    const found = read(type);
    Reflect.defineMetadata(key, found, type);
    return found;
  };
}
