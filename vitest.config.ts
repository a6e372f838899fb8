import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const react18 = { find: /^(react|react-dom)(\/.*)?$/, replacement: path('test/react18/node_modules/$1$2') }

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/report.json' }]] : ['default'],
    projects: [
      {
        test: {
          name: 'sitewright',
          include: ['{core,adapters,react,test}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'test/react18/**'],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias: [react18] },
        test: { name: 'react 18', include: ['test/react18/*.test.tsx'] },
      },
    ],
  },
})
