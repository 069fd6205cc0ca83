import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a request, as clients do with an `Idempotency-Key`, while a busy service returns 503. */
export async function untilServed<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}
