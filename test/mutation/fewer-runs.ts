import fc from 'fast-check';

// A property mostly notices a mutant with one of the first values. More values would cost time for thousands of mutants.
fc.configureGlobal({ numRuns: 20 });
