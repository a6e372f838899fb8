import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isLong } from './test/setup/long.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const react18 = { find: /^(react|react-dom)(\/.*)?$/, replacement: path('test/react18/node_modules/$1$2') }
// The ES modules of @testing-library/react, since aliases do not reach what CommonJS requires.
const testingLibrary = {
  find: /^@testing-library\/react$/,
  replacement: path('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
}

const redis6 = ['redis', 'ioredis'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: `${name}6` }))

const folders = '{core,adapters,react,cli,test}'
// Unit tests run first and alone: some compare durations.
const afterUnit = { groupOrder: 1 }

// A test's file name says what it needs:
// - `*.test.ts`: unit. No socket, disk, child process or build; no test takes more than a second.
// - `*.integration.test.ts`: sockets, disks, processes, Redis, or the built package and examples.
// - `*.browser.test.ts`: Chromium.
// What builds six frameworks, with packages of 500 MB, is for the long form alone.
// test/react18 runs unit tests with React 18 in place of 19; the tests of adapters/redis also run with version 6 of both clients.
export default defineConfig({
  test: {
    // All cores, since many tests wait for processes and sockets; the default leaves one core free.
    maxWorkers: '100%',
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/report.json' }]] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${folders}/**/*.test.{ts,tsx}`],
          exclude: ['**/node_modules/**', '**/*.{integration,browser}.test.*', 'test/react18/**'],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias: [react18, testingLibrary] },
        test: {
          name: 'unit, react 18',
          include: ['test/react18/*.test.tsx'],
          server: { deps: { inline: [/testing-library\/react/] } },
        },
      },
      {
        test: {
          name: 'integration',
          include: [`${folders}/**/*.integration.test.{ts,tsx}`],
          exclude: ['**/node_modules/**', ...(isLong ? [] : ['test/frameworks/frameworks.integration.test.ts'])],
          testTimeout: 30_000,
          sequence: afterUnit,
        },
      },
      {
        resolve: { alias: redis6 },
        test: {
          name: 'integration, redis 6',
          include: ['adapters/redis/{redis,servers}.integration.test.ts'],
          testTimeout: 30_000,
          sequence: afterUnit,
        },
      },
      {
        test: {
          name: 'browser',
          include: [`${folders}/**/*.browser.test.{ts,tsx}`],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/setup/chromium.ts', 'test/setup/examples.ts'],
          testTimeout: 30_000,
          sequence: afterUnit,
        },
      },
    ],
  },
})
