import 'reflect-metadata';

type Constructor = abstract new (...args: never[]) => object;

const USE_CASES = Symbol('use-cases');

/** Stands on a module and names the classes whose methods are its use cases: in traces each has a span of its own. */
export function UseCases(...classes: Constructor[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(USE_CASES, classes, module);
}

export function useCasesOf(module: object): Constructor[] {
  return (Reflect.getMetadata(USE_CASES, module) as Constructor[] | undefined) ?? [];
}
