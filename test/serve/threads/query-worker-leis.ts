/** LEIs that the test's query threads know, and those that end or block them. */
export const deadlyLeis = {
  exits: 'EXITS000000000000000',
  hangs: 'HANGS000000000000000',
  throws: 'THROWS00000000000000',
};
export const largeLei = 'LARGE000000000000000';
/** Companies with bodies of 40 kB, each of its own letters. */
export const longLeis = Array.from({ length: 40 }, (_, index) => `LONG00000000000000${index + 10}`);
export const longFilling = (lei: string) => lei.repeat(2_000);
export const plainLeis = [
  ...Array.from({ length: 50 }, (_, index) => `PLAIN0000000000000${String(index).padStart(2, '0')}`),
  largeLei,
];
