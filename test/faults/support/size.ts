/** Whether this is the long run: an hour of soak, and the large counts. */
export const long = process.env['FAULTS_LONG'] === '1';

/** A count or duration for the default run and for the long run. */
export const size = (normally: number, atLength: number): number => (long ? atLength : normally);

/** The seed of random choices, so that a run can be repeated. */
export const seed = process.env['FAULTS_SEED'] ?? '7';
