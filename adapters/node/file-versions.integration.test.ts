import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { fileVersions } from './file-versions.js'

const start = async (files: Record<string, string>) => {
  const folder = await folderWith(files)
  return { folder, versionOf: fileVersions({ '/media/': join(folder, 'media') }) }
}

test('a file outside of the folder has no version, whichever link leads there', async () => {
  const { folder, versionOf } = await start({ 'media/cat.jpg': 'cat', 'secret.txt': 'secret', 'other/cat.jpg': 'cat' })
  await symlink(join(folder, 'secret.txt'), join(folder, 'media/file.jpg'))
  await symlink(join(folder, 'other'), join(folder, 'media/folder'))
  expect([versionOf('/media/file.jpg'), versionOf('/media/folder/cat.jpg')]).toEqual([undefined, undefined])
})

test('a link within the folder has the version of its file', async () => {
  const { folder, versionOf } = await start({ 'media/cat.jpg': 'cat' })
  await symlink(join(folder, 'media/cat.jpg'), join(folder, 'media/link.jpg'))
  await symlink(join(folder, 'media'), join(folder, 'linked'))
  expect(versionOf('/media/link.jpg')).toBe(versionOf('/media/cat.jpg'))
  expect(fileVersions({ '/media/': join(folder, 'linked') })('/media/cat.jpg')).toBe(versionOf('/media/cat.jpg'))
})

test('a file that is larger than any original has no version, because reading it would block the site', async () => {
  const { folder, versionOf } = await start({ 'media/film.mp4': '', 'media/large.jpg': '' })
  await truncate(join(folder, 'media/film.mp4'), 50_000_001)
  await truncate(join(folder, 'media/large.jpg'), 50_000_000)
  expect(versionOf('/media/film.mp4')).toBe(undefined)
  expect(versionOf('/media/large.jpg')).toMatch(/^[\w-]{16}$/)
})

test.skipIf(process.platform === 'win32')(
  'a pipe has no version, and the site does not wait for its writer',
  async () => {
    const { folder, versionOf } = await start({ 'media/cat.jpg': 'cat' })
    execFileSync('mkfifo', [join(folder, 'media/pipe.jpg')])
    await symlink(join(folder, 'media/pipe.jpg'), join(folder, 'media/link.jpg'))
    expect([versionOf('/media/pipe.jpg'), versionOf('/media/link.jpg'), versionOf('/media/')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  },
)

test('a file that was replaced has another version', async () => {
  const { folder, versionOf } = await start({ 'media/cat.jpg': 'cat' })
  const oldVersion = versionOf('/media/cat.jpg')
  expect(versionOf.current?.('/media/cat.jpg')).toBe(oldVersion)
  await writeFile(join(folder, 'media/cat.jpg'), 'dog, now')
  expect(versionOf.current?.('/media/cat.jpg')).toBe(undefined)
  await expect.poll(() => versionOf('/media/cat.jpg'), { timeout: 10_000 }).not.toBe(oldVersion)
})
