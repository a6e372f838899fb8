import { memoryTagIndex, type Store, type TagIndex } from '../../../core/cache/index.js'
import type { SourceFolders } from '../../../core/image/index.js'
import { formatImageQuery } from '../../../core/image/parameters.js'
import { createImageProxy } from '../../../core/image/proxy.js'
import { readFocus } from '../../../core/image/shape.js'
import { encodeSource } from '../../../core/image/url.js'
import type { SharpServiceOptions } from '../options.js'
import type { ServiceInternals } from '../pipeline.js'
import type { ImageServiceEvent } from '../render.js'
import { createSharpService, sharpService } from '../service.js'
import { buildWorker } from './worker.js'

/** A width in pixels, or a crop. */
export type TestSize = number | { width: number; ratio: string; focus?: { x: number; y: number } }

/** Returns the URL of an image. */
export const urlOf = (source: string, size: TestSize = 320) => {
  const { width, ratio, focus } = typeof size === 'number' ? { width: size } : size
  const { tenths } = focus ? readFocus(focus, source) : {}
  return `http://site.test/_image/${encodeSource(source)}${formatImageQuery({ width, ratio, focus: tenths })}`
}

let defaults: SharpServiceOptions = { isolation: 'none' }

/** Makes the services of this test file render in processes of their own, unless a test says otherwise. */
export const renderInProcesses = async () => {
  defaults = { isolation: 'process', workerFile: await buildWorker() }
}

export interface TestOptions
  extends SharpServiceOptions,
    Pick<ServiceInternals, 'lookup' | 'maxQueue' | 'waitTimeout'> {
  sources: SourceFolders
  cache?: Store | undefined
  tagIndex?: TagIndex | undefined
}

const widths = Array.from({ length: 5_000 }, (_, index) => index + 1)
const ratios = ['1:1', '2:3', '16:9', '16:5', '1:3', '6:1']

/** Creates a service behind the image proxy. It records its events and log messages. Visitors wait without a limit. */
export const startService = (options: TestOptions) => {
  const { sources, cache, tagIndex = memoryTagIndex(), lookup, maxQueue, waitTimeout = 1_000_000, ...rest } = options
  const events: ImageServiceEvent[] = []
  const logged: { message: string; detail: Record<string, unknown> }[] = []
  const log = (message: string, detail: Record<string, unknown>) => void logged.push({ message, detail })
  const onEvent = (event: ImageServiceEvent) => void events.push(event)
  sharpService(rest) // checks the options
  const site = { sources, cache, tagIndex, maxAge: 300, log }
  const service = createSharpService({ ...defaults, ...rest }, site, { lookup, maxQueue, waitTimeout, onEvent })
  const proxy = createImageProxy({ sources: Object.keys(sources), widths, ratios, maxAge: 300, log }, service)
  const handler = async (request: Request) => (await proxy(request)) as Response
  return {
    service,
    handler,
    events,
    logged,
    count: (type: ImageServiceEvent['type']) => events.filter((event) => event.type === type).length,
    get: (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      handler(new Request(url, { headers, ...init })),
    /** Returns why the last image could not be made. */
    lastFailure: () => logged.at(-1)?.detail.failure,
  }
}

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

export const avif = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
export const webp = { accept: 'image/webp,*/*' }
