import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = ['smallest-server', 'existing/hono', 'start/images', 'start/pages', 'start/styleguide', 'start/hono']

it('the files of the page for Hono are TypeScript as they stand', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(root, 'test/docs/typescript-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of files) {
    const text = readFileSync(join(root, `docs/snippets/${file}.js`), 'utf8')
    writeFileSync(join(folder, `${file === 'existing/hono' ? 'existing' : basename(file)}.ts`), text)
  }
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  // Version 7 takes a fifth of the time.
  const tsc = join(root, 'test/typescript/7/node_modules/typescript/bin/tsc')
  const compile = () => execFileSync(process.execPath, [tsc, '-p', folder])
  expect(String(compile())).toBe('')
})
