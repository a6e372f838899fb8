import { expect, test } from 'vitest'
import { createImages, type ImagesOptions } from '../../core/image/index.js'
import { folderWith } from '../disk/testing/folder.js'
import type { SharpServiceOptions } from './options.js'
import { sharpService } from './service.js'

const folder = await folderWith({ 'file.txt': 'x' })
type Options = SharpServiceOptions & Pick<ImagesOptions, 'maxAge' | 'cache'> & { sources?: unknown }

const create = ({ sources = { '/media/': folder }, maxAge, cache, ...options }: Options) =>
  createImages({ sources: sources as ImagesOptions['sources'], maxAge, cache, service: sharpService(options) })

test.each<[string, Options, RegExp]>([
  ['no source', { sources: {} }, /^sources: expected prefixes with their folders, .*, got an empty object$/],
  [
    'a malformed prefix',
    { sources: { media: folder } },
    /^sources: expected a path such as '\/media\/' or an http\(s\) URL, got 'media'$/,
  ],
  [
    'another protocol',
    { sources: { 'ftp://example.com/': true } },
    /^sources: expected a path such as '\/media\/' or an http\(s\) URL, got 'ftp:\/\/example.com\/'$/,
  ],
  [
    'local:// in the prefix',
    { sources: { 'local:///media/': folder } },
    /^sources: expected a path such as '\/media\/' or an http\(s\) URL, got 'local:/,
  ],
  [
    'a path without a folder',
    { sources: { '/media/': true } },
    /^sources\['\/media\/'\]: expected a folder .* since this is a path, got true$/,
  ],
  [
    'an empty folder name',
    { sources: { '/media/': '' } },
    /^sources\['\/media\/'\]: expected a folder .* since this is a path, got ''$/,
  ],
  [
    'a URL with a folder',
    { sources: { 'https://example.com/': folder } },
    /^sources\['https:\/\/example.com\/'\]: expected true, since this is a URL, got '/,
  ],
  [
    'a folder that is missing',
    { sources: { '/media/': './no/such' } },
    /^sources\['\/media\/'\]: expected a folder, got '.\/no\/such'; looked for \//,
  ],
  [
    'a file for a folder',
    { sources: { '/media/': `${folder}/file.txt` } },
    /expected a folder, got '.*file.txt'; looked for/,
  ],
  [
    'a network that is no list',
    { allowNetworks: { 'nas.internal': '10.0.0.0/8' as unknown as string[] } },
    /^allowNetworks: expected networks by host, such as \{ 'nas\.internal': \['10\.0\.0\.0\/8'\] \}, or a list of networks, got /,
  ],
  [
    'a malformed network of a host',
    { allowNetworks: { 'nas.internal': ['intranet'] } },
    /^allowNetworks: expected networks such as '10.0.0.0\/8' or 'fd00::\/8', got 'intranet'$/,
  ],
  [
    'a malformed network of all hosts',
    { allowNetworks: ['intranet'] },
    /^allowNetworks: expected networks such as '10.0.0.0\/8' or 'fd00::\/8', got 'intranet'$/,
  ],
  ['maxPixels of 0', { maxPixels: 0 }, /^maxPixels: expected a whole number >= 1, got 0$/],
  [
    'a timeout of 0',
    { sourceTimeout: 0 },
    /^sourceTimeout: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 0$/,
  ],
  [
    'a cache that is not a store',
    { cache: { directory: '.cache' } as never },
    /^cache: expected a store, such as memoryStore\(.*\), got an object$/,
  ],
  [
    'concurrency that is not a number',
    { concurrency: Number.NaN },
    /^concurrency: expected a whole number >= 1, got NaN$/,
  ],
  ['another isolation', { isolation: 'thread' as never }, /^isolation: expected 'process' or 'none', got 'thread'$/],
  [
    'a worker that is missing',
    { workerFile: '/missing/worker.js' },
    /^workerFile: expected a file, such as the bundle of sitewright\/sharp\/worker, got '\/missing\/worker.js'$/,
  ],
  [
    'a worker that is missing, as a URL',
    { workerFile: new URL('file:///missing/worker.js') },
    /^workerFile: expected a file, .*, got 'file:\/\/\/missing\/worker.js'$/,
  ],
  ['maxWorkerMemory of 0', { maxWorkerMemory: 0 }, /^maxWorkerMemory: expected a whole number >= 1, got 0$/],
  [
    'a time limit that no timer can count',
    { transformTimeout: 2 ** 31 },
    /^transformTimeout: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 2147483648$/,
  ],
  [
    'quality of another format',
    { quality: { jpg: 80 } as object },
    /^quality: expected qualities of avif, webp, jpeg, got 'jpg'$/,
  ],
  ['quality above 100', { quality: { avif: 101 } }, /^quality.avif: expected a whole number from 1 to 100, got 101$/],
])('%s throws a TypeError that names the option', (_, invalid, message) => {
  expect(() => create(invalid)).toThrow(TypeError)
  expect(() => create(invalid)).toThrow(message)
})

test('an option that is undefined has its default', () => {
  expect(() =>
    create({
      concurrency: undefined,
      maxAge: undefined,
      cache: undefined,
      isolation: 'none',
      workerFile: undefined,
    }),
  ).not.toThrow()
})
