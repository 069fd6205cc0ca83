import { customCleanEnv, type OptionalValidatorSpec, type ValidatorSpec } from 'envalid';

/** Settings by name. Each has an environment variable, a kind and perhaps a default. */
export type Variables = Readonly<Record<string, readonly [variable: string, kind: ValidatorSpec<unknown>]>>;

type OptionalKind = OptionalValidatorSpec<unknown>;
type ValueOf<Kind> = Kind extends ValidatorSpec<infer Value> ? Value : never;

/** The values of settings. A setting without a default may be absent. */
export type ValuesOf<Given extends Variables> = {
  readonly [Setting in keyof Given as Given[Setting][1] extends OptionalKind ? never : Setting]: ValueOf<
    Given[Setting][1]
  >;
} & {
  readonly [Setting in keyof Given as Given[Setting][1] extends OptionalKind ? Setting : never]?:
    ValueOf<Given[Setting][1]> | undefined;
};

/** Reads settings. It adds a line to `mistakes` for each variable with an unusable value. */
export function readVariables<Given extends Variables>(
  environment: NodeJS.ProcessEnv,
  variables: Given,
  mistakes: string[],
): ValuesOf<Given> {
  const kinds: Readonly<Record<string, ValidatorSpec<unknown>>> = Object.fromEntries(
    Object.values(variables),
  );
  const env = customCleanEnv(environment, kinds, (values) => values, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) mistakes.push(`${name}: ${error!.message}`);
    },
  });
  const entries = Object.entries(variables).map(([setting, [name]]) => [setting, env[name]]);
  return Object.fromEntries(entries) as ValuesOf<Given>;
}
