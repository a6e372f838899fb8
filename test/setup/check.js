// Everything that needs no test runner: format, lint, types, unused code and the package. As many checks at once as there are
// cores; the output of a check is shown when it fails.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const bin = 'node_modules/.bin'
const beforeBuild = [
  'node bench/texts.js --check',
  `${bin}/biome ci --colors=off --error-on-warnings .`,
  'node test/setup/doc-examples.js',
  'node test/setup/tested-with.js --check',
  `for file in .github/workflows/*.yml; do ${bin}/action-validator $file || exit 1; done`,
  `${bin}/tsc -p core --noEmit`,
]
// These read the built package. The longest first.
const afterBuild = [
  `${bin}/tsc`,
  'node test/setup/exports.js',
  'node test/setup/public-types.js',
  'node test/setup/part-sizes.js --check',
  `${bin}/knip`, // finds the package by its name, which the build links
  `${bin}/tsc -p examples/vite-express`,
  `${bin}/tsc -p examples/vite-hono`,
  `${bin}/tsc -p examples/site`,
  `${bin}/tsc -p docs/snippets/tsconfig.next.json --noEmit`,
  `${bin}/tsc -p cli/tsconfig.templates.json`,
]

const begun = performance.now()
const failed = []
const build = run('npm run --silent build')
/** @type {(() => Promise<void>)[]} */
const queue = [
  () => build,
  ...beforeBuild.map((command) => () => run(command)),
  ...afterBuild.map((command) => () => build.then(() => run(command))),
]
const count = queue.length
await Promise.all(Array.from({ length: availableParallelism() }, work))
const seconds = Math.round((performance.now() - begun) / 1_000)
console.log(`${count - failed.length} of ${count} checks passed in ${seconds} s`)
if (failed.length > 0) process.exitCode = 1

async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) await next()
}

/**
 * @param {string} command
 * @returns {Promise<void>}
 */
function run(command) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0) {
        failed.push(command)
        console.error(`${output.trimEnd()}\nFailed: ${command}\n`)
      }
      resolve()
    })
  })
}
