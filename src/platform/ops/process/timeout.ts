/** The result of `work`, or of `onTimeout` if `work` takes longer. `work` continues in that case. */
export function withTimeout<Result, Late = undefined>(
  work: Promise<Result>,
  milliseconds: number,
  onTimeout = (() => undefined) as () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))).then(onTimeout);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
