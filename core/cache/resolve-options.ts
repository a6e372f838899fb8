import { isDevelopment } from '../development.js'
import { createCacheStatus } from '../http/cache-status.js'
import { logError } from '../log.js'
import { optionError } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkObject,
  checkString,
  integer,
  type OptionCheck,
  type OptionChecks,
  required,
  withMethod,
} from '../options.js'
import { checkTimeout } from '../timeout.js'
import { checkStore, checkTagIndex } from './internal.js'
import type { ResponseCacheOptions } from './options.js'
import { checkRelease, platformRelease, releaseAdvice } from './release.js'
import { memoryTagIndex, type ResponseTags } from './tags/tag-index.js'

const defaults = {
  fields: {},
  cookies: [] as readonly string[],
  tags: ['document'] as readonly string[] | ResponseTags,
  targets: ['CDN-Cache-Control'] as readonly string[],
  exposeTags: true,
  honorRequestCacheControl: false,
  maxBodyBytes: 8 * 1024 * 1024,
  storeTimeout: 1_000,
  joinTimeout: 10_000,
  refreshTimeout: 60_000,
  name: 'sitewright',
  log: logError,
}

const listOrFunction =
  (example: string): OptionCheck =>
  (option, value) => {
    if (typeof value === 'function' || Array.isArray(value)) return value
    throw optionError(option, `a list, such as ${example}, or a function`, value)
  }

const checkNames: OptionCheck = (option, names) => {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string' && /^[!-~]+$/.test(name))) return names
  throw optionError(option, 'a list of names without spaces', names)
}

const checks: OptionChecks<ResponseCacheOptions> = {
  store: required(checkStore),
  release: checkRelease,
  tagIndex: checkTagIndex,
  fields: checkObject,
  cookies: checkNames,
  bypass: checkFunction,
  queryParameters: listOrFunction("['page']"),
  hosts: checkNames,
  tags: listOrFunction("['document']"),
  content: withMethod('run', 'the result of createContentTags'),
  exposeTags: checkBoolean,
  targets: checkNames,
  honorRequestCacheControl: checkBoolean,
  waitUntil: checkFunction,
  maxRenders: integer(1),
  maxBodyBytes: integer(),
  storeTimeout: checkTimeout,
  joinTimeout: checkTimeout,
  refreshTimeout: checkTimeout,
  name: checkString,
  log: checkFunction,
}

// Share of `storeTimeout` for lookups; the rest is for storing.
const lookupShare = 0.75

/** The options, with all defaults filled in. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/**
 * Fills in every default.
 *
 * @throws TypeError that names the invalid option.
 */
export function resolveOptions(options: ResponseCacheOptions) {
  checkKnownOptions(options, checks, 'createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })')
  const definedOptions = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings = { ...defaults, ...(definedOptions as ResponseCacheOptions & typeof defaults) }
  const lookupTime = lookupShare * settings.storeTimeout
  const release = settings.release ?? platformRelease()
  if (release === undefined && settings.store.isDurable && !isDevelopment()) {
    settings.log('Response cache: the store outlives a deployment', { advice: releaseAdvice })
  }
  return {
    ...settings,
    release,
    tagIndex: options.tagIndex ?? memoryTagIndex(),
    /** Whether to warn if this cache serves a page that another cache of the process has purged. */
    watchesPurges: isDevelopment() && options.tagIndex === undefined,
    formatStatus: createCacheStatus(settings.name),
    /** Longest time that a request waits for lookups, in milliseconds. */
    lookupTime,
    /** Longest time that a request waits for its own response to be stored, in milliseconds. */
    storeTime: settings.storeTimeout - lookupTime,
  }
}
