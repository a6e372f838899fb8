// The runner's own report, as one line.
import { readFileSync } from 'node:fs'

const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, success } = JSON.parse(
  readFileSync(new URL('../report.json', import.meta.url), 'utf8'),
)
// A suite that could not even start counts no test as failed.
const failed = numFailedTests || (success ? 0 : numFailedTestSuites || 1)
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${failed} failed${skipped}`)
