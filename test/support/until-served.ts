import { eventually } from './eventually.js';

/** Repeats a request, as clients do with an `Idempotency-Key`, while a busy service returns 503. The time of the test bounds it. */
export async function untilServed<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer | undefined;
  await eventually(async () => {
    answer = await ask();
    return answer.status !== 503;
  });
  return answer!;
}
