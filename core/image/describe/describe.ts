import { describeError } from '../../log.js'
import { optionError } from '../../option-error.js'
import { errors } from '../errors.js'
import type { ImageService } from '../service.js'
import type { SourceName } from '../source-names.js'
import type { Sources } from '../sources.js'
import { describeOriginal, type ImageDescription } from './original.js'

/**
 * Creates the function that describes images.
 *
 * @param nameOf Returns the canonical name of a source under one of the prefixes.
 */
export function createDescriber(
  service: ImageService,
  sources: Sources,
  nameOf: (source: string) => SourceName,
): (src: string) => Promise<ImageDescription> {
  return async (src) => {
    const { name } = typeof src === 'string' ? nameOf(src) : {}
    if (name === undefined) throw optionError('describe', `a path or URL under ${[...sources].join(', ')}`, src)
    try {
      if (service.missing?.length) throw new Error(errors.notConfigured.error)
      return describeOriginal(src, await service.describe(name))
    } catch (error) {
      throw new Error(`describe: ${src.slice(0, 200)}: ${describeError(error)}`, { cause: error })
    }
  }
}
