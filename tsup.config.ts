import { defineConfig } from 'tsup'

// Unbundled: dist mirrors the source, so that 'use client' survives and every entry stays tree-shakable.
export default defineConfig({
  entry: ['{core,adapters,react}/**/*.{ts,tsx}', '!**/*.test.{ts,tsx}'],
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  bundle: false,
  clean: true,
})
