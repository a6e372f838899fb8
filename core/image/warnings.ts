import { isDevelopment, warnOnce } from '../development.js'
import { expectRequest, type RouteHandler, whereToMount } from '../handler.js'
import { formatValue } from '../option-error.js'
import { checkOptions } from '../options.js'
import { type ImageShape, type ParameterOptions, parameterRules } from './parameters.js'
import type { SourceName } from './source-names.js'
import type { Sources } from './sources.js'

/**
 * Creates the functions that warn once of images that the proxy would reject. The loader calls this only in
 * development, so that client bundles do not contain the texts.
 */
export function createLoaderWarnings(sources: Sources, options: ParameterOptions) {
  const warn = warnOnce()
  const lists = Object.entries(parameterRules).flatMap(([name, { list }]) =>
    list ? [{ name: name as keyof ImageShape, allowed: list(options) }] : [],
  )
  const warnUnlessAllowed = (option: string, allowed: readonly unknown[], value: unknown) => {
    if (allowed.includes(value)) return
    warn(() => `Images: ${explainValue(option, allowed, value)}`, `${option} ${value}`)
  }
  return {
    /** @throws TypeError for an argument that is not an object. */
    shape(image: unknown): void {
      checkOptions(image, 'loader', "write loader({ src: '/media/cat.jpg', width: 640 })")
    },
    /** Warns of a source that is left unchanged, once for each top-level folder. */
    source(src: string, problem: SourceName['problem'] = 'syntax'): void {
      // Up to its first folder: `/media` of `/media/cat.jpg`.
      const [folder = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/?[^/?#]*/i.exec(src) ?? []
      const hint = /^\/[^?]*%(?:25)*(?:2f|5c)/i.test(src) ? ' and no %2F' : ''
      const texts = {
        prefix: `sources: expected a prefix of the source${hint}, got ${[...sources].join(', ')}`,
        query: "sources: expected a prefix with '?' at its end for a source with a query, got none",
        syntax: 'src: expected a path or URL of at most 4,096 bytes',
      }
      const key = `${problem} ${folder.slice(0, 100)}`
      warn(() => `Images: ${texts[problem]}, so this is the original: ${src.slice(0, 200)}`, key)
    },
    /** Warns of values that are not in the lists. */
    values(image: ImageShape): void {
      for (const { name, allowed } of lists) {
        const value = image[name]
        if (value !== undefined || name === 'width') warnUnlessAllowed(name, allowed, value)
      }
    },
    /** Warns of a value that the URL leaves out. */
    unused(src: string, problem: string): void {
      warn(() => `Images: ${problem}, so it is not used: ${src.slice(0, 200)}`, src)
    },
  }
}

function explainValue(option: string, allowed: readonly unknown[], value: unknown): string {
  const isType = typeof value === typeof allowed[0]
  const example = typeof allowed[0] === 'number' ? 'a number such as 640' : "a string such as '16:9'"
  const expected = isType ? `one of ${allowed.join(', ')}` : example
  const got = isType ? value : `${typeof value === 'string' ? 'the string ' : ''}${formatValue(value)}`
  const isAnswered = typeof value === 'string' && allowed.map(String).includes(value)
  return `${option}: expected ${expected}, got ${got}${isAnswered ? '' : '; the proxy answers 400'}`
}

type Loader<Image> = { (image: Image): string; widths?: readonly number[] }

/**
 * In development, warns once if pages contain image URLs but no request reaches the handler within ten seconds. In that
 * case, the handler is not mounted, and each image is a 404. Servers call a mounted handler for every request,
 * including requests for pages.
 */
export function warnIfUnmounted<Image extends { src: string }>(handler: RouteHandler, loader: Loader<Image>) {
  if (!isDevelopment()) return { handler, loader }
  let hasRequests = false
  let timer: unknown
  const check = (url: string) => {
    const text = `Images: pages have URLs such as ${url}, but no request has reached images.handler`
    if (!hasRequests) console.warn(`${text}; ${whereToMount}, before the routes of pages`)
  }
  const load = (image: Image) => {
    const url = loader(image)
    if (hasRequests || timer || url === image.src) return url
    timer = setTimeout(check, 10_000, url)
    // In Node, the timer does not keep the process alive.
    ;(timer as { unref?: () => void }).unref?.()
    return url
  }
  return {
    loader: Object.assign(load, { widths: loader.widths }) as Loader<Image>,
    handler: expectRequest((request: Request) => {
      hasRequests = true
      return handler(request)
    }),
  }
}
