/** Whether there is time: half an hour of soaking, and the large counts. */
export const long = process.env['FAULTS_LONG'] === '1';

/** How much of something is done, by default and when there is time. */
export const size = (normally: number, atLength: number): number => (long ? atLength : normally);

/** What chance begins with, so that a run can be repeated. */
export const seed = process.env['FAULTS_SEED'] ?? '7';
