import { isFieldName } from '../http/vary.js'
import {
  atLeast,
  checkKnownOptions,
  integer,
  type OptionCheck,
  type OptionChecks,
  required,
  unchecked,
} from '../known-options.js'
import { logError } from '../log.js'
import { checkBoolean, checkFunction, checkOptions, checkString, optionError } from '../option-error.js'
import { checkTimeout } from '../timeout.js'
import { checkStore, checkTagIndex } from './checks.js'
import { createHostCheck } from './exchange/keys/site-hosts.js'
import { createUrlKey, trackingParameters } from './exchange/keys/url-key.js'
import type { ResponseCacheOptions } from './options.js'
import { memoryTagIndex } from './tags/memory-tag-index.js'

const defaults = {
  heuristic: 0,
  storeErrors: false,
  maxVariants: 64,
  maxNewUrls: 100,
  maxBackgroundRenders: 32,
  maxBodyBytes: 8 * 1024 * 1024,
  maxPendingBytes: 64 * 1024 * 1024,
  storeTimeout: 1_000,
  joinTimeout: 10_000,
  refreshTimeout: 60_000,
  targets: ['CDN-Cache-Control'] as readonly string[],
  exposeTags: true,
  fillInBackground: false,
  invalidateOnUnsafeMethods: true,
  honorRequestCacheControl: false,
  name: 'sitewright',
}

const checkTags: OptionCheck = (option, tags) => {
  if (typeof tags === 'function' || Array.isArray(tags)) return tags
  throw optionError(option, "a list, such as ['document'], or a function that returns one", tags)
}

const checkNames: OptionCheck = (option, names) => {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string' && /^[!-~]+$/.test(name))) return names
  throw optionError(option, 'a list of names without spaces', names)
}

const checkNormalizers: OptionCheck = (option, normalizers) => {
  for (const [name, normalize] of Object.entries(checkOptions(normalizers, option) as object)) {
    if (!isFieldName(name)) throw optionError(option, 'names of request fields', name)
    checkFunction(`${option}.${name}`, normalize)
  }
  return normalizers
}

const checks: OptionChecks<ResponseCacheOptions> = {
  store: required(checkStore),
  tagIndex: checkTagIndex,
  tags: checkTags,
  exposeTags: checkBoolean,
  ignoreQuery: checkNames,
  queryParameters: unchecked,
  hosts: unchecked,
  maxNewUrls: integer(),
  normalizeFields: checkNormalizers,
  targets: checkNames,
  heuristic: atLeast(0),
  storeErrors: checkBoolean,
  staleIfErrorTimeout: checkTimeout,
  honorRequestCacheControl: checkBoolean,
  invalidateOnUnsafeMethods: checkBoolean,
  fillInBackground: checkBoolean,
  maxVariants: integer(),
  maxBackgroundRenders: integer(),
  bypass: checkFunction,
  waitUntil: checkFunction,
  maxBodyBytes: integer(),
  maxPendingBytes: integer(),
  storeTimeout: checkTimeout,
  joinTimeout: checkTimeout,
  refreshTimeout: checkTimeout,
  name: checkString,
  log: checkFunction,
}

/** The options with every default filled in. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/**
 * Fills in every default.
 *
 * @throws TypeError that names the invalid option.
 */
export function resolveOptions(options: ResponseCacheOptions) {
  checkKnownOptions(options, checks, 'createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })')
  const { queryParameters = 'all', tags = ['document'], tagIndex = memoryTagIndex(), log = logError } = options
  if (options.store.lease && !options.tagIndex) {
    log('Response cache: processes share the store, but no tagIndex: each renders again what the others have stored', {
      tagIndex: 'expected one such as redisTagIndex({ client }), got undefined',
    })
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return {
    ...defaults,
    ...(given as ResponseCacheOptions & typeof defaults),
    tagIndex,
    tagsOf: typeof tags === 'function' ? tags : () => tags,
    urlKey: createUrlKey(options.ignoreQuery ?? trackingParameters, queryParameters),
    isSiteHost: createHostCheck(options.hosts),
    checksHosts: options.hosts !== undefined,
    normalizeFields: Object.fromEntries(
      Object.entries(options.normalizeFields ?? {}).map(([name, normalize]) => [name.toLowerCase(), normalize]),
    ),
    log,
  }
}
