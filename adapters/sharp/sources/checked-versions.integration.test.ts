import { existsSync } from 'node:fs'
import { appendFile, link, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { createFileSource } from './file.js'

/** The kernel's clock for times of files has steps of up to 10 milliseconds. */
const ctimeTick = 20

const start = async () => {
  const root = await folderWith({ 'media/photo.jpg': 'photo', 'media/folder/photo.jpg': 'photo', 'other.jpg': 'other' })
  const media = join(root, 'media')
  const locate = createFileSource(media, 100)
  return { root, media, photo: join(media, 'photo.jpg'), original: locate('photo.jpg'), locate }
}

test.runIf(existsSync('/proc/self/fd'))(
  'an unchanged file is checked once, and then again without waiting',
  async () => {
    const { original, locate } = await start()
    const firstVersion = await original.version()
    expect(original.version()).toBe(firstVersion)
    expect(locate('photo.jpg').version()).toBe(firstVersion)
  },
)

describe('noticed at once, however short the time since the last check', () => {
  type Folder = Awaited<ReturnType<typeof start>>
  test.each<[string, (folder: Folder) => Promise<unknown>]>([
    ['more bytes', ({ photo }) => appendFile(photo, 'more')],
    ['other bytes of the same length', ({ photo }) => writeFile(photo, 'PHOTO')],
    ['another modification time', ({ photo }) => utimes(photo, 1, 1)],
    [
      'another file in its place',
      async ({ root, photo }) => {
        await writeFile(join(root, 'new.jpg'), 'photo')
        await rename(join(root, 'new.jpg'), photo)
      },
    ],
    ['a second hard link', ({ root, photo }) => link(photo, join(root, 'second.jpg'))],
  ])('a file with %s has another version immediately', async (_, change) => {
    const folder = await start()
    const oldVersion = await folder.original.version()
    await setTimeout(ctimeTick)
    await change(folder)
    expect(await folder.original.version()).not.toBe(oldVersion)
  })

  test.each<[string, (folder: Folder) => Promise<unknown>]>([
    ['a missing file', ({ photo }) => rm(photo)],
    [
      'a link to a file outside',
      async ({ root, photo }) => {
        await rm(photo)
        await symlink(join(root, 'other.jpg'), photo)
      },
    ],
    [
      'a link to the file, which was moved outside',
      async ({ root, photo }) => {
        await rename(photo, join(root, 'moved.jpg'))
        await symlink(join(root, 'moved.jpg'), photo)
      },
    ],
    [
      'a folder',
      async ({ photo }) => {
        await rm(photo)
        await mkdir(photo)
      },
    ],
    [
      'a loop of links',
      async ({ photo }) => {
        await rm(photo)
        await symlink('photo.jpg', photo)
      },
    ],
  ])('a file replaced by %s is 404 immediately', async (_, change) => {
    const folder = await start()
    await folder.original.version()
    await setTimeout(ctimeTick)
    await change(folder)
    await expect(async () => await folder.original.version()).rejects.toMatchObject({ status: 404 })
  })
})

test('in a folder that was moved outside and linked, no file is read, and after a second no file is found', async () => {
  const { root, media, locate } = await start()
  const original = locate('folder/photo.jpg')
  await original.version()
  await rename(join(media, 'folder'), join(root, 'moved'))
  await symlink(join(root, 'moved'), join(media, 'folder'))
  await expect(original.read(new AbortController().signal)).rejects.toMatchObject({ status: 404 })
  await vi.waitFor(() => expect(async () => await original.version()).rejects.toMatchObject({ status: 404 }), {
    timeout: 30_000,
  })
})
