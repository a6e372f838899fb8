// The parts of http-cache-tests that the test reads. The package has no types.

interface CacheTest {
  id: string
  name: string
  /** `required` when absent. */
  kind?: 'required' | 'optimal' | 'check'
}

interface CacheTestSuite {
  tests: CacheTest[]
}

declare module 'http-cache-tests/tests/index.mjs' {
  const suites: CacheTestSuite[]
  export default suites
}

declare module 'http-cache-tests/tests/surrogate-control.mjs' {
  const suite: CacheTestSuite
  export default suite
}

declare module 'http-cache-tests/client/runner.mjs' {
  /** Runs the tests, with this many at the same time. Call it only once in each process. */
  export function runTests(
    suites: CacheTestSuite[],
    fetch: unknown,
    browserCache: boolean,
    baseUrl: string | undefined,
    chunkSize: number,
  ): Promise<void>
  /** Returns the result of each test by its id: `true`, or why it failed. */
  export function getResults(): Record<string, true | [kind: string, message: string]>
}
