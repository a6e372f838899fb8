import { randomBytes } from 'node:crypto'
import type { ImageService, SourceFolders } from '../../core/image/index.js'
import { checkKnownOptions } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { imageServiceChecks } from './option-checks.js'
import type { ImageServiceOptions } from './options.js'
import { createImageService } from './service.js'

/** What `createImages` does not say already. */
export type SharpServiceOptions = Omit<ImageServiceOptions, 'keys' | 'sources' | 'cache' | 'tagIndex' | 'maxAge'>

const { keys, sources, cache, tagIndex, maxAge, ...checks } = imageServiceChecks

/**
 * Images made in this process' own sharp, for `createImages`: the embedded image service with a random key, since nobody else
 * asks it.
 *
 * @throws TypeError that names the invalid option.
 * @example const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
 */
export function sharpService(options: SharpServiceOptions = {}): ImageService {
  checkKnownOptions(
    options,
    checks,
    'sharpService()',
    'sources, cache, tagIndex and maxAge are options of createImages, beside service: sharpService()',
  )
  return ({ sources, cache, tagIndex, log }) => {
    const key = { key: randomBytes(32).toString('hex'), salt: randomBytes(32).toString('hex') }
    const given = { sources: checkFolders(sources), cache, tagIndex }
    const service = createImageService({ log, ...options, ...given, keys: [key] })
    // The service is a function in this process: only the path of its URL matters.
    return { proxy: { serviceUrl: 'http://images.invalid', ...key, fetch: service } }
  }
}

function checkFolders(sources: Parameters<ImageService>[0]['sources']): SourceFolders {
  if (typeof sources === 'object' && sources !== null && !Array.isArray(sources)) return sources as SourceFolders
  throw optionError('sources', "prefixes with their folders, such as { '/media/': './media' }", sources)
}
