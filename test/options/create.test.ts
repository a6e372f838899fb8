import { expect, it, vi } from 'vitest'
import * as core from '../../core/index.js'
import { type Create, callWith, entries, optionsOf } from './entries.js'

/** Whatever a user of JavaScript may pass by mistake, and an object that has a handler without being one. */
const wrong = { undefined, null: null, '{}': {}, '[]': [], "'x'": 'x', '1': 1, 'an object': { handler: () => {} } }
type Wrong = keyof typeof wrong

/** Functions that create something, and which of the wrong arguments are right for them: whether nothing is required. */
const functions: Record<string, Wrong[]> = {
  createBearerVerifier: ['undefined', "'x'", '[]'],
  createImageLoader: [],
  createImagePlanner: [],
  createImageProxy: [],
  createImages: [],
  createResponseCache: [],
  createRevalidateEndpoint: [],
  createSigner: [],
  createSourceMatcher: [],
  createSplitSpacing: ['undefined', '{}'],
  createStyleguideRoute: [],
  describeSpacing: ['undefined', '{}'],
  createVerifier: [],
  imageSrcSet: [],
  // Without URL or key, images are answered with 500: they come from the environment.
  imgproxy: ['{}'],
  localizedMetadata: [],
  localizedPage: [],
  memoryStore: [],
  memoryTagIndex: ['undefined', '{}'],
  spacingStylesheet: ['undefined', '{}'],
  throttleLog: [],
  tieredStore: [],
  cloudflare: [],
  fastly: [],
  netlify: [],
  vercel: [],
  purgeEverywhere: [],
  tagResponse: [],
  diskStore: [],
  diskTagIndex: [],
  redisStore: [],
  redisTagIndex: [],
  verifyContentful: [],
  verifyPrismic: [],
  verifySanity: [],
  verifyStandardWebhook: [],
  verifyStoryblok: [],
  createUpstreamFetch: ['undefined', '{}'],
  fileVersions: [],
  nodeListener: [],
  expressMiddleware: [],
  honoMiddleware: [],
  nextRoute: [],
  createImageRewrite: [],
  // Without a secret, requests are answered with 500.
  createRevalidateRoute: ['{}'],
  createStyleguidePage: [],
  createStyleguideMetadata: [],
  nextImageLoader: [],
  createCacheHandler: [],
  createUseCacheHandler: [],
  createImageService: [],
  sharpService: ['undefined', '{}'],
  createImageComponent: [],
  createSpacing: [],
  componentPage: [],
}

it.each(
  Object.entries(functions).flatMap(([name, right]) =>
    Object.keys(wrong)
      .filter((argument) => !right.includes(argument as Wrong))
      .map((argument) => [name, argument as Wrong] as const),
  ),
)('%s(%s) says what is expected', (name, argument) => {
  const create = entries[name] as Create
  expect(() => create(wrong[argument])).toThrow(
    expect.objectContaining({
      name: 'TypeError',
      message: expect.stringMatching(/^[\w.]+(?: of '.*')?: expected .+, got .+/),
    }),
  )
})

it.each(Object.entries(functions).flatMap(([name, right]) => right.map((argument) => [name, argument] as const)))(
  '%s(%s) is right',
  (name, argument) => {
    const create = entries[name] as Create
    expect(() => create(wrong[argument])).not.toThrow()
  },
)

/** Functions that take no options, and those that take them second, with what is first. */
const withoutOptions = [
  'createBearerVerifier',
  'createSigner',
  'createSourceMatcher',
  'createVerifier',
  // Called for each image: what it needs is checked, and a misspelt name is told when that is missing.
  'imageSrcSet',
  'localizedMetadata',
  'localizedPage',
  'tagResponse',
  'fileVersions',
  'expressMiddleware',
  'honoMiddleware',
  'nextRoute',
  'nextImageLoader',
  'createImageComponent',
  'createSpacing',
]
it.each(Object.keys(functions))('%s says which options it has', (name) => {
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
  // It takes nothing.
  expect(names.filter((name) => !(name in functions))).toEqual(['createStyleguideScriptRoute'])
})

it.each(['expressMiddleware', 'honoMiddleware', 'nextRoute', 'nodeListener'])(
  '%s, given the images instead of their handler, says what to pass',
  (name) => {
    const service = () => ({ proxy: {} })
    const images = core.createImages({ sources: ['/media/'], service })
    const message = 'handler: expected a function that takes a Request, got an object; it has one: pass .handler'
    expect(() => (entries[name] as Create)(images)).toThrow(new TypeError(message))
    expect(() => (entries[name] as Create)(images.handler)).not.toThrow()
  },
)

it('wrap of a response cache checks its handler', () => {
  const pages = core.createResponseCache({ store: core.memoryStore({ maxBytes: 1 }), log: vi.fn() })
  // @ts-expect-error a user of JavaScript
  expect(() => pages.wrap(undefined)).toThrow(
    new TypeError('handler: expected a function that takes a Request, got undefined'),
  )
})
