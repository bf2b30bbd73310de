/**
 * Work that is done in steps, so that whoever runs it may do other work in between. What is only valid until the
 * thread reads again is no longer valid after a step.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all of the work at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
