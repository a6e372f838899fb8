import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // package.json's `imports` name the built files; the tests run the source.
    alias: { '#hmac': fileURLToPath(new URL('adapters/node/hmac.ts', import.meta.url)) },
  },
  test: {
    include: ['{core,adapters,react,test}/**/*.test.{ts,tsx}'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test/report.json' }]] : ['default'],
    testTimeout: 30_000,
  },
})
