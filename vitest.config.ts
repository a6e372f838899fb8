import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

// package.json's `imports` name the built files; the tests run the source.
const source = { find: '#hmac', replacement: path('adapters/node/hmac.ts') }
const react18 = { find: /^(react|react-dom)(\/.*)?$/, replacement: path('test/react18/node_modules/$1$2') }

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/report.json' }]] : ['default'],
    projects: [
      {
        resolve: { alias: [source] },
        test: {
          name: 'sitewright',
          include: ['{core,adapters,react,test}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'test/react18/**'],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias: [source, react18] },
        test: { name: 'react 18', include: ['test/react18/*.test.tsx'] },
      },
    ],
  },
})
