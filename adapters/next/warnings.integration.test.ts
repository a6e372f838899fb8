import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPrivateFolders } from './warnings.js'

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
