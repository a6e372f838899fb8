// Runs the suite's own runner, in a process of its own since it keeps its results for good, and prints them as JSON:
// node run.js <URL of the cache> [ids of tests, separated by commas; default: all]
import { createRequire } from 'node:module'
import { getResults, runTests } from 'http-cache-tests/client/runner.mjs'
import suites from 'http-cache-tests/tests/index.mjs'
import surrogate from 'http-cache-tests/tests/surrogate-control.mjs'

// The client that the suite was written for: Node's own fetch adds fields that caches heed.
const fetch = createRequire(import.meta.resolve('http-cache-tests/cli.mjs'))('node-fetch')
const atOnce = 1000

const [url, ids] = process.argv.slice(2)
const wanted = ids?.split(',')
const chosen = [...suites, surrogate].map((suite) => ({
  ...suite,
  tests: suite.tests.filter(({ id }) => !wanted || wanted.includes(id)),
}))
await runTests(chosen, fetch, false, url, atOnce)
console.log(JSON.stringify(getResults()))
