import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { memoryStore } from '../../core/cache/store/memory-store.js'
import { memoryTagIndex } from '../../core/cache/tags/tag-index.js'
import { createContentTags } from '../../core/content/index.js'
import { createRoutes } from '../../core/localized-pages/index.js'
import { callWith, entries, optionsOf } from './entries.js'

/** Values of every type; each option accepts few of them. */
const values = {
  text: 'text',
  '5': 5,
  '0': 0,
  '-1': -1,
  '1.5': 1.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  true: true,
  null: null,
  '{}': {},
  '[]': [],
  function: () => undefined,
}
type Value = keyof typeof values

const kinds = {
  none: [],
  boolean: ['true'],
  function: ['function'],
  text: ['text'],
  atLeastOne: ['5'],
  integer: ['5', '0'],
  milliseconds: ['5', '1.5'],
  number: ['5', '0', '1.5'],
  positive: ['5', '1.5'],
  list: ['[]'],
  listOrObject: ['[]', '{}'],
  object: ['{}'],
  // `ReactNode`: whatever React renders.
  any: Object.keys(values) as Value[],
} as const satisfies Record<string, readonly Value[]>

/**
 * The kinds of values that each option accepts, by the option's name. An entry with the function's name has
 * precedence.
 */
const accepted: Readonly<Record<string, readonly Value[]>> = {
  allowGet: kinds.boolean,
  'createLlmsTxt.title': kinds.text,
  'createLlmsTxt.summary': kinds.text,
  allowNetworks: kinds.listOrObject,
  allowTags: kinds.boolean,
  breakpoints: kinds.none,
  buildId: kinds.text,
  bypass: kinds.function,
  cache: kinds.none,
  'imgproxy.cache': kinds.boolean,
  card: kinds.object,
  cdns: kinds.list,
  client: kinds.none,
  clock: kinds.function,
  concurrency: kinds.atLeastOne,
  consistency: kinds.none,
  content: kinds.none,
  context: kinds.none,
  dataset: kinds.text,
  description: kinds.any,
  draft: kinds.function,
  distributionId: kinds.text,
  directory: kinds.none, // and any other text, of which a directory is created
  enabled: kinds.boolean,
  cookies: kinds.list,
  credentials: kinds.function,
  default: kinds.none,
  detect: kinds.boolean,
  trailingSlash: kinds.boolean,
  exposeTags: kinds.boolean,
  fetch: kinds.function,
  fields: kinds.object,
  focus: kinds.boolean,
  getTags: kinds.function,
  headers: kinds.object,
  honorRequestCacheControl: kinds.boolean,
  hosts: kinds.list,
  images: kinds.none,
  inspect: kinds.function,
  invalidate: kinds.function,
  isolation: kinds.none,
  joinTimeout: kinds.milliseconds,
  key: kinds.none, // hex digits
  languages: kinds.none,
  layered: kinds.boolean,
  log: kinds.function,
  maxAge: kinds.integer,
  maxBodyBytes: kinds.integer,
  'createRevalidateEndpoint.maxBodyBytes': kinds.atLeastOne,
  'createRevalidateApi.paths': kinds.function,
  'createRevalidateApi.maxBodyBytes': kinds.atLeastOne,
  'createRevalidateRoute.maxBodyBytes': kinds.atLeastOne,
  maxBytes: kinds.atLeastOne,
  'diskTagIndex.maxBytes': kinds.none, // from 64
  maxPixels: kinds.atLeastOne,
  maxRenders: kinds.atLeastOne,
  maxSourceBytes: kinds.atLeastOne,
  maxPurgedTags: kinds.atLeastOne,
  maxTags: kinds.atLeastOne,
  maxWorkerMemory: kinds.atLeastOne,
  mode: kinds.none,
  name: kinds.text,
  negativeTtl: kinds.number,
  notFound: kinds.function,
  onError: kinds.function,
  origin: kinds.none,
  pages: kinds.function,
  parameter: kinds.text,
  path: kinds.text,
  'prismicPreview.path': kinds.function,
  paths: kinds.object,
  pathsOf: kinds.function,
  'verifyContentful.path': kinds.none, // with a slash at its beginning
  prefix: kinds.text,
  'createRoutes.prefix': kinds.none,
  prefixes: kinds.object,
  profile: kinds.none,
  projectId: kinds.text,
  props: kinds.list,
  quality: kinds.object,
  queryParameters: ['[]', 'function'],
  ratios: kinds.list,
  refine: kinds.boolean,
  keepCopyright: kinds.boolean,
  refreshTimeout: kinds.milliseconds,
  remoteMaxAge: kinds.integer,
  render: kinds.function,
  repeatAfter: kinds.integer,
  salt: kinds.none, // hex digits
  scheme: kinds.none,
  secret: ['text', '[]'],
  'createPreview.secret': ['[]'], // at least 32 characters
  'createImages.secret': ['[]'],
  'sharedSecret.secret': kinds.text,
  studio: kinds.list,
  stores: kinds.object,
  routes: kinds.none,
  'verifyContentful.secret': kinds.none,
  'verifyPrismic.secret': kinds.none, // at least 16 bytes
  'verifySanity.secret': kinds.none,
  'verifyStandardWebhook.secret': kinds.none,
  'verifyStoryblok.secret': kinds.none,
  service: kinds.none,
  serviceId: kinds.text,
  serviceSecret: kinds.text,
  serviceUrl: kinds.none,
  signatureParameters: kinds.list,
  siteId: kinds.text,
  sizes: kinds.none,
  sourceBaseUrl: kinds.none,
  sources: kinds.none,
  'createContentTags.sources': kinds.list,
  sourceTimeout: kinds.milliseconds,
  release: kinds.text,
  repository: kinds.text,
  stylesheets: kinds.list,
  store: kinds.none,
  storeTimeout: kinds.milliseconds,
  subscriber: kinds.none,
  svg: kinds.boolean,
  tagIndex: kinds.none,
  tags: kinds.none,
  'createResponseCache.tags': ['[]', 'function'],
  'describedImages.service': ['function'],
  targets: kinds.list,
  teamId: kinds.text,
  timeout: kinds.milliseconds,
  title: kinds.text,
  'createStyleguidePage.title': kinds.function,
  token: kinds.text,
  tolerance: kinds.positive,
  transformTimeout: kinds.milliseconds,
  translationsOf: kinds.function,
  tree: ['{}', 'function'],
  'createStyleguideProps.tree': kinds.object,
  variants: kinds.list,
  verify: kinds.function,
  'createPreview.verify': kinds.list,
  version: kinds.function,
  waitUntil: kinds.function,
  widths: kinds.none,
  workerFile: kinds.none,
  zoneId: kinds.text,
}

// Removed with the temporary directory of the run.
const directory = mkdtempSync(join(tmpdir(), 'sitewright-options-'))
const store = memoryStore({ maxBytes: 1 })
const tagIndex = memoryTagIndex()
const sources = ['/media/']
const cdn = { token: 'token' }
const client = { callBuffer: async () => undefined }
const secret = 'a'.repeat(64)
const tree = { title: 'Site' }

/** Options with which a function works. */
const valid: Readonly<Record<string, object>> = {
  createContentTags: { sources: [] },
  createResponseCache: { store },
  payloadContent: { content: createContentTags({ sources: [] }), invalidate: () => {} },
  memoryStore: { maxBytes: 1 },
  createImageLoader: { sources },
  createImages: { sources, service: imgproxy({ serviceUrl: undefined, key: undefined, salt: undefined }) },
  createRevalidateEndpoint: { invalidate: () => {} },
  createRoutes: { languages: ['en', 'de'], default: 'en' },
  createLlmsTxt: {
    routes: createRoutes({ languages: ['en'], default: 'en' }),
    origin: 'https://www.example.com',
    pages: () => [],
    title: 'Boats',
    summary: 'A journal.',
  },
  createSitemap: {
    routes: createRoutes({ languages: ['en'], default: 'en' }),
    origin: 'https://www.example.com',
    pages: () => [],
  },
  createStyleguideRoute: { tree, enabled: true, render: () => {} },
  createStyleguidePage: { tree, enabled: true, render: () => {} },
  createRevalidateApi: { paths: () => [] },
  createStyleguideProps: { tree, enabled: true },
  cloudflare: { ...cdn, zoneId: 'id' },
  cloudfront: { distributionId: 'id', credentials: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }) },
  fastly: { ...cdn, serviceId: 'id' },
  netlify: { ...cdn, siteId: 'id' },
  vercel: { ...cdn, projectId: 'id' },
  purgeEverywhere: { invalidate: () => {}, cdns: [] },
  diskStore: { directory, maxBytes: 1 },
  diskTagIndex: { directory },
  createCacheHandler: { store, tagIndex },
  createUseCacheHandler: { store, tagIndex },
  redisStore: { client },
  redisTagIndex: { client },
  verifyContentful: { secret },
  verifyPrismic: { secret },
  verifySanity: { secret },
  verifyStandardWebhook: { secret },
  verifyStoryblok: { secret },
  createPreview: { secret, verify: [] },
  sharedSecret: { secret },
  sanityPreview: { projectId: 'id', dataset: 'production', token: 'token' },
  storyblokPreview: { token: 'token' },
  prismicPreview: { repository: 'site', path: () => '/' },
  componentPage: { title: 'Card', variants: [] },
}

// The build inserts the texts of `packageFiles`, without which it does not work.
const names = Object.keys(entries).filter((name) => typeof entries[name] === 'function' && name !== 'packageFiles')
const options = names.flatMap((name) => (optionsOf(name) ?? []).map((option) => [name, option] as const))

it('the table has an entry for each option, and no other entry', () => {
  const knownNames = new Set(options.flatMap(([name, option]) => [`${name}.${option}`, option]))
  expect(Object.keys(accepted).filter((option) => !knownNames.has(option))).toEqual([])
  expect(options.filter(([name, option]) => !(accepted[`${name}.${option}`] ?? accepted[option]))).toEqual([])
})

it.each(options)('%s accepts no wrong %s', (name, option) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const right = accepted[`${name}.${option}`] ?? accepted[option] ?? []
  for (const value of Object.keys(values) as Value[]) {
    if (option === 'directory' && value === 'text') continue
    const message = callWith(name, { ...valid[name], [option]: values[value] })
    if (right.includes(value)) expect(message, `${option}: ${value}`).toBe('')
    else expect(message, `${option}: ${value}`).toMatch(new RegExp(`^${option}[\\w.]*: expected .+, got .+`))
  }
})
