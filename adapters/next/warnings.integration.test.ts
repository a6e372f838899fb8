import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLayoutWithHeader, findPrivateFolders } from './warnings.js'

let site: string
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
})
afterAll(() => rm(site, { recursive: true }))

it.each([
  ['app/_image/[[...source]]', ['app/_image']],
  ['src/app/_image/[[...source]]', ['src/app/_image']],
  ['app/_pictures/[...source]', ['app/_pictures']],
  ['app/%5Fimage/[[...source]]', []],
  ['app/_components/buttons', []],
  ['lib', []],
])('findPrivateFolders in a site with %s finds %j', async (path, folders) => {
  const root = join(site, crypto.randomUUID())
  await mkdir(join(root, path), { recursive: true })
  expect(findPrivateFolders(root)).toEqual(folders)
})

it.each([
  ['app/layout.tsx', '<body><SiteHeader />{children}</body>', 'app/layout.tsx'],
  ['src/app/layout.js', '<body>{children}<footer>…</footer></body>', 'src/app/layout.js'],
  ['app/layout.tsx', '<body><Providers>{children}</Providers></body>', undefined],
  ['app/(site)/layout.tsx', '<body><nav />{children}</body>', undefined],
])('findLayoutWithHeader in a site with %s: %s finds %s', async (file, text, found) => {
  const root = join(site, crypto.randomUUID())
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
  expect(findLayoutWithHeader(root)).toBe(found)
})
