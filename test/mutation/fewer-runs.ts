import fc from 'fast-check';

// A mutant that a property notices is noticed by one of the first values, mostly; each of thousands of mutants pays for them.
fc.configureGlobal({ numRuns: 20 });
