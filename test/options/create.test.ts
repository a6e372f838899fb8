import { expect, it, vi } from 'vitest'
import * as core from '../../core/index.js'
import { type Create, callWith, entries, first, optionsOf } from './entries.js'

/** Values that a user of JavaScript may pass by mistake, including an object that has a handler. */
const wrong = {
  undefined,
  null: null,
  '{}': {},
  '[]': [],
  "'x'": 'x',
  '1': 1,
  'an object': { handler: () => {} },
  'a function': () => {},
}
type Wrong = keyof typeof wrong

/**
 * Functions that create something, and which of the wrong arguments are right for them: whether nothing is required.
 */
const functions: Record<string, Wrong[]> = {
  createContentTags: [],
  payloadContent: [],
  createImageLoader: [],
  createImages: [],
  createResponseCache: [],
  createRevalidateEndpoint: [],
  createPreview: [],
  prismicPreview: [],
  sanityPreview: [],
  // Without a secret, nothing is opened: it comes from the environment.
  sharedSecret: ['{}'],
  storyblokPreview: ['{}'],
  createPreviewRoute: [],
  createRoutes: [],
  createLlmsTxt: [],
  createMarkdown: [],
  createSitemap: [],
  createStyleguideRoute: [],
  describedImages: [],
  imageSrcSet: [],
  // Without URL or key, images are answered with 500: they come from the environment.
  imgproxy: ['{}'],
  localizedMetadata: ['a function'],
  localizedPage: ['a function'],
  memoryStore: [],
  memoryTagIndex: ['undefined', '{}'],
  spacingStylesheet: ['undefined', '{}'],
  tieredStore: [],
  cloudflare: [],
  cloudfront: [],
  fastly: [],
  netlify: [],
  vercel: [],
  purgeEverywhere: [],
  tagResponse: ['a function'],
  diskStore: [],
  diskTagIndex: [],
  redisStore: [],
  redisTagIndex: [],
  verifyContentful: [],
  verifyPrismic: [],
  verifySanity: [],
  verifyStandardWebhook: [],
  verifyStoryblok: [],
  fileVersions: [],
  nodeListener: ['a function'],
  expressMiddleware: ['a function'],
  honoMiddleware: ['a function'],
  nextRoute: ['a function'],
  // Without a secret, requests are answered with 500.
  createRevalidateRoute: ['{}'],
  createMetrics: ['{}'],
  createLanguageProxy: [],
  createMarkdownProxy: ['a function'],
  createStyleguidePage: [],
  nextApiRoute: ['a function'],
  createRevalidateApi: [],
  createStyleguideProps: [],
  nextImageLoader: ['a function'],
  createCacheHandler: [],
  createUseCacheHandler: [],
  sharpService: ['undefined', '{}'],
  createImageComponent: ['a function'],
  createSpacing: ['undefined', '{}'],
  componentPage: [],
}

const argumentsOf = (name: string, isWrong: boolean) =>
  (Object.keys(wrong) as Wrong[]).filter((argument) => functions[name]?.includes(argument) !== isWrong)
/** Returns the error of a function for each argument. */
const errorsOf = (name: string, names: readonly Wrong[]) =>
  names.map((argument) => {
    try {
      ;(entries[name] as Create)(wrong[argument])
      return [argument, 'none']
    } catch (error) {
      return [argument, String(error)]
    }
  })

it.each(Object.keys(functions))(
  '%s says what is expected, for each wrong argument, and takes the right ones',
  (name) => {
    const message = expect.stringMatching(/^TypeError: [\w.]+(?: of '.*')?: expected .+, got .+/)
    const wrongArguments = argumentsOf(name, true)
    expect(errorsOf(name, wrongArguments)).toEqual(wrongArguments.map((argument) => [argument, message]))
    const rightArguments = argumentsOf(name, false)
    expect(errorsOf(name, rightArguments)).toEqual(rightArguments.map((argument) => [argument, 'none']))
  },
)

const got: Partial<Record<Wrong, string>> = {
  undefined: 'undefined',
  "'x'": 'a string',
  '[]': 'an empty list',
  'a function': 'a function',
}
it.each(Object.keys(functions).filter((name) => optionsOf(name) !== undefined && !(name in first)))(
  '%s says how it is called',
  (name) => {
    const names = argumentsOf(name, true).filter((argument) => argument in got)
    const messageFor = (argument: Wrong) =>
      new RegExp(`^TypeError: ${name}: expected an object, got ${got[argument]}; write ${name}\\(.*\\)$`)
    expect(errorsOf(name, names)).toEqual(
      names.map((argument) => [argument, expect.stringMatching(messageFor(argument))]),
    )
  },
)

it.each([
  [
    'memoryStore',
    'maxBytes: expected a whole number >= 1, got undefined; write memoryStore({ maxBytes: 64 * 1024 ** 2 })',
  ],
  [
    'diskStore',
    "directory: expected a path, got undefined; such as '.cache/pages'; write diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })",
  ],
  [
    'createResponseCache',
    'store: expected a store, such as memoryStore({ maxBytes: 64 * 1024 * 1024 }), got undefined; write createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })',
  ],
  ['fastly', 'write fastly({ serviceId, token })'],
])('%s({}) says what is missing, and how it is called', (name, message) => {
  expect(callWith(name, {})).toContain(message)
})

it.each([
  [
    'sharpService',
    'service: expected sharpService() or imgproxy({ serviceUrl, key, salt }), got sharpService itself; call it',
  ],
  ['imgproxy', 'service: expected sharpService() or imgproxy({ serviceUrl, key, salt }), got imgproxy itself; call it'],
])('createImages names the missing call first if it gets %s without ()', (service, message) => {
  expect(callWith('createImages', { sources: ['/media/'], service: entries[service] })).toBe(message)
})

it.each(Object.keys(functions).filter((name) => /^verify[A-Z]/.test(name)))(
  'the revalidation endpoint, given %s without (), says that first',
  (name) => {
    const message = `verify: expected a function, such as verifySanity({ secret }), got ${name} itself; call it`
    const options = { verify: entries[name], invalidate: () => {} }
    expect(callWith('createRevalidateEndpoint', options)).toBe(message)
    expect(callWith('createRevalidateRoute', { verify: entries[name] })).toBe(message)
  },
)

it('imgproxy, given createUpstreamFetch without (), says that first', () => {
  const message = 'fetch: expected a function, such as createUpstreamFetch(), got createUpstreamFetch itself; call it'
  expect(callWith('imgproxy', { fetch: entries.createUpstreamFetch })).toBe(message)
})

it.each(
  Object.keys(functions).flatMap((name) => (/Store$|TagIndex$/.exec(name) ?? []).map((end) => [end, name] as const)),
)('createResponseCache, given as %s %s without (), says that', (end, name) => {
  const option = end === 'Store' ? 'store' : 'tagIndex'
  const store = core.memoryStore({ maxBytes: 1 })
  const message = callWith('createResponseCache', { store, [option]: entries[name] })
  expect(message).toMatch(new RegExp(`^${option}: expected a .*, such as memory${end}\\(.*\\), got a function$`))
})

it.each(['verifyMyCms', 'purge(', '[', ''])('a site’s own function is accepted, whatever its name: %j', (name) => {
  const own = Object.defineProperty(() => true, 'name', { value: name })
  expect(callWith('createRevalidateEndpoint', { verify: own, invalidate: own })).toBe('')
  expect(callWith('imgproxy', { fetch: own })).toBe('')
})

/** Functions that mount a handler. */
const mounts = Object.keys(functions).filter((name) => /Middleware$|Listener$|^next(?:Api)?Route$/.test(name))

/** Functions that take no options, and those that take them second, with what is first. */
const withoutOptions = [
  'createPreviewRoute',
  ...mounts.filter((name) => !(name in first)),
  'createLanguageProxy',
  'createMarkdown',
  'createMarkdownProxy',
  // Called for each image: what it needs is checked, and a misspelt name is told when that is missing.
  'imageSrcSet',
  'localizedMetadata',
  'localizedPage',
  'tagResponse',
  'fileVersions',
  'nextImageLoader',
  'createImageComponent',
]
it.each(Object.keys(functions))('the error of %s for an unknown option lists its options', (name) => {
  expect(optionsOf(name) === undefined).toBe(withoutOptions.includes(name))
  const hint = expect.stringMatching(/^unknowable: expected one of the options [\w, ]+, got an unknown one(?:; .*)?$/)
  if (!withoutOptions.includes(name)) expect(callWith(name, { unknowable: undefined })).toEqual(hint)
})

it('the table has every function of the package that takes options, or creates, mounts or opens something', () => {
  const pattern = /^(?:create|verify)[A-Z]|(?:Store|Index|Middleware|Listener|Route|Service|Versions|Loader)$/
  const isFunction = (value: unknown) => typeof value === 'function'
  const names = Object.keys(entries).filter(
    (name) => isFunction(entries[name]) && (pattern.test(name) || optionsOf(name)),
  )
  // The build inserts the texts of the one; the other takes nothing.
  expect(names.filter((name) => !(name in functions))).toEqual(['packageFiles', 'createUpstreamFetch'])
})

it.each(mounts)('%s, given the images instead of their handler, says what to pass', (name) => {
  const service = (entries.imgproxy as Create)({}) as core.CreateImageService
  const images = core.createImages({ sources: ['/media/'], service, log: () => {} })
  const message = 'handler: expected a function that takes a Request, got an object; it has one: pass .handler'
  expect(() => (entries[name] as Create)(images)).toThrow(new TypeError(message))
  expect(() => (entries[name] as Create)(images.handler)).not.toThrow()
})

it('wrap of a response cache checks its handler', () => {
  const pages = core.createResponseCache({ store: core.memoryStore({ maxBytes: 1 }), log: vi.fn() })
  // @ts-expect-error a user of JavaScript
  expect(() => pages.wrap(undefined)).toThrow(
    new TypeError('handler: expected a function that takes a Request, got undefined'),
  )
})
