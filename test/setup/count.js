// One line over the reports of all runs, whose files are the arguments.
import { existsSync, readFileSync } from 'node:fs'

let passed = 0
let failed = 0
let skipped = 0
for (const file of process.argv.slice(2)) {
  // A run that ended before its tests, such as in the build, has left no report.
  if (!existsSync(file)) {
    failed++
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  passed += report.numPassedTests
  // A suite that could not even start counts no test as failed.
  failed += report.numFailedTests || (report.success ? 0 : report.numFailedTestSuites || 1)
  skipped += report.numPendingTests
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
