import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Takes one point for `subject`. @returns where the subject stands; the limiter's failures are thrown */
export async function takeFrom(limiter: RateLimiterAbstract, subject: string) {
  try {
    return { admitted: true, ...standing(await limiter.consume(subject)) };
  } catch (refusal) {
    // The library throws the standing of who has none left.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { admitted: false, ...standing(refusal) };
  }
}

const standing = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
  remaining: remainingPoints,
  resetIn: msBeforeNext,
});
