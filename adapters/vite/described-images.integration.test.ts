import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { sharpService } from '../sharp/index.js'
import { photograph } from '../sharp/testing/originals.js'
import { describedImages } from './index.js'

const buildSite = async (file: string | Uint8Array) => {
  const root = await folderWith({
    'größe 1.jpg': file,
    'page.js': "import image from './größe 1.jpg?describe'\nexport default image",
  })
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [describedImages({ service: sharpService({ isolation: 'none' }) })],
    build: {
      assetsInlineLimit: 0,
      rollupOptions: {
        input: `${root}/page.js`,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'page.mjs' },
      },
    },
  })
  return (await import(pathToFileURL(`${root}/dist/page.mjs`).href)).default
}

test('an imported image has its description, and the address of the built file', async () => {
  expect(await buildSite(photograph)).toEqual({
    src: expect.stringMatching(/^\/assets\/.+\.jpg$/),
    width: 1024,
    height: 750,
    originalWidth: 1024,
    type: 'image/jpeg',
    color: '#87715f',
    placeholder: expect.stringMatching(/^Z?A/),
    isAnimated: false,
  })
})

test('a file that is not an image fails the build, and the error says why', async () => {
  await expect(buildSite('text')).rejects.toThrow('The original is not an image of a known type')
})

test('describedImages requires a service', () => {
  // @ts-expect-error the service is missing
  expect(() => describedImages({})).toThrow('service: expected sharpService(), got undefined')
})
