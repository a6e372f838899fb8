import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const react18 = { find: /^(react|react-dom)(\/.*)?$/, replacement: path('test/react18/node_modules/$1$2') }
// The ES modules of @testing-library/react, since aliases do not reach what CommonJS requires.
const testingLibrary = {
  find: /^@testing-library\/react$/,
  replacement: path('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
}

const redis6 = ['redis', 'ioredis'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: `${name}6` }))

// What hangs, ends by these. They are long, since on a machine with much else to do a second becomes half a minute.
const timeouts = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 20_000 } } }

// Unit tests share the modules of a worker, which takes half the time; not these, which replace modules.
const withOwnModules = [
  'adapters/next/{revalidate,styleguide}.test.ts',
  'core/cache/separate-caches.test.ts',
  'core/cache/tags/memory-tag-index.test.ts',
]
const restored = { unstubEnvs: true, unstubGlobals: true }

const folders = '{core,adapters,react,cli,test}'
const notHere = ['**/node_modules/**']
// Unit tests run first, since they are quick to fail. The other tests often wait for processes, sockets and time limits,
// so one more of them than there are cores runs at once.
const afterUnit = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 1 } }
const inBrowser = { globalSetup: ['test/setup/chromium.ts', 'test/setup/examples.ts'] }

// What searches by chance, with more rounds than in `npm test`.
const searches = [
  'core/cache/end.test.ts',
  'core/cache/oracle.test.ts',
  'core/content/graph.test.ts',
  'core/styleguide/fuzz.test.ts',
  'test/cache/content.integration.test.ts',
]

// Two more browsers, two CMSs, seven frameworks, an older Next.js and sites of 500 MB, some builds and soaks, and the
// search for slow expressions take too long for CI.
const longer = [
  'test/engines/*.slow.browser.test.ts',
  'test/existing/*.slow.*.test.{ts,tsx}',
  'test/frameworks/*.slow.integration.test.ts',
  'test/cms/*.slow.integration.test.ts',
  'test/browser/development.slow.browser.test.ts',
  'test/next-existing/*.slow.integration.test.ts',
  'test/browser/x-ray.slow.browser.test.ts',
  'test/examples/cards.slow.integration.test.ts',
  'test/examples/checks.slow.browser.test.ts',
  'test/next-languages/*.slow.integration.test.ts',
  'test/next-prerender/*.slow.integration.test.ts',
  'test/soak/examples.slow.integration.test.ts',
  'adapters/redis/failover-chaos.slow.integration.test.ts',
  'adapters/redis/chaos.slow.integration.test.ts',
  'adapters/cdn/cdn.slow.integration.test.ts',
  'adapters/hono/in-front-of-app.slow.integration.test.ts',
  'test/cli/next.slow.integration.test.ts',
  'test/examples/next-instances.slow.integration.test.ts',
  'cli/hostile-*.slow.integration.test.ts',
  'adapters/sharp/card-scripts.slow.browser.test.ts',
  'test/next-pages/*.slow.integration.test.ts',
  'test/next15/next15.slow.browser.test.ts',
  'test/security/regular-expressions.slow.integration.test.ts',
  'test/preview/oracle*.slow.integration.test.ts',
]

// A test's file name says what it needs:
// - `*.test.ts`: unit. No socket, disk, child process or build; no test takes more than a second.
// - `*.integration.test.ts`: sockets, disks, processes, Redis, or the built package and examples.
// - `*.browser.test.ts`: Chromium; in test/engines, Firefox and WebKit.
// `npm test` runs these. `npm run test:slow` runs those with `.slow` before: what builds, installs, soaks, repeats or is large.
// test/react18 runs unit tests with React 18 in place of 19; the tests of adapters/redis also run with version 6 of both clients.
export default defineConfig({
  test: {
    // All cores; the default leaves one free.
    maxWorkers: '100%',
    globalSetup: ['test/setup/temporary-folder.ts'],
    // What a test prints, such as warnings for development, is shown if it fails.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${folders}/**/*.test.{ts,tsx}`],
          exclude: [...notHere, '**/*.{integration,browser,slow}.test.*', 'test/react18/**', ...withOwnModules],
          isolate: false,
          ...restored,
          ...timeouts,
        },
      },
      { test: { name: 'unit, with own modules', include: withOwnModules, ...timeouts } },
      {
        resolve: { alias: [react18, testingLibrary] },
        test: {
          name: 'unit, react 18',
          include: ['test/react18/*.test.tsx'],
          server: { deps: { inline: [/testing-library\/react/] } },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'integration',
          include: [`${folders}/**/*.integration.test.{ts,tsx}`],
          exclude: [...notHere, '**/*.slow.*'],
          ...timeouts,
          ...afterUnit,
        },
      },
      {
        test: {
          name: 'browser',
          include: [`${folders}/**/*.browser.test.{ts,tsx}`],
          exclude: [...notHere, '**/*.slow.*'],
          ...inBrowser,
          ...timeouts,
          ...afterUnit,
        },
      },
      {
        test: {
          name: 'slow',
          include: [`${folders}/**/*.slow.{test,integration.test}.{ts,tsx}`],
          exclude: [...notHere, ...longer],
          ...timeouts,
          ...afterUnit,
        },
      },
      {
        test: {
          name: 'slow, in a browser',
          include: [`${folders}/**/*.slow.browser.test.{ts,tsx}`],
          exclude: [...notHere, ...longer],
          ...inBrowser,
          ...timeouts,
          ...afterUnit,
        },
      },
      { test: { name: 'longer', include: longer, ...inBrowser, ...timeouts, ...afterUnit } },
      {
        resolve: { alias: redis6 },
        test: {
          name: 'slow, redis 6',
          include: ['adapters/redis/{redis,servers}.integration.test.ts'],
          ...timeouts,
          ...afterUnit,
        },
      },
      {
        test: {
          name: 'slow, 5 times the rounds',
          include: searches,
          env: { ROUNDS: process.env.ROUNDS ?? '5' },
          ...timeouts,
          ...afterUnit,
        },
      },
    ],
  },
})
