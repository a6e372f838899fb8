import { createSigner } from '../../../core/image/sign.js'
import { encodeSource } from '../../../core/image/url.js'
import type { ImageServiceOptions } from '../options.js'
import type { ImageServiceEvent } from '../render.js'
import { createServiceWith, type ServiceInternals } from '../service.js'
import { buildWorker } from './worker.js'

export const signingKey = { key: '746573742d6b6579', salt: '746573742d73616c74' }
const sign = createSigner(signingKey)

/** Returns the signed URL of an image. */
export const urlOf = (source: string, options = 'rs:fill:320/g:sm') => signedUrl(`/${options}/${encodeSource(source)}`)
export const signedUrl = (path: string) => `http://images.invalid/${sign(path)}${path}`

let defaults: Partial<ImageServiceOptions> = { isolation: 'none' }

/** Makes the services of this test file render in processes of their own, unless a test says otherwise. */
export const renderInProcesses = async () => {
  defaults = { isolation: 'process', workerFile: await buildWorker() }
}

export type TestOptions = Partial<ImageServiceOptions> &
  Pick<ImageServiceOptions, 'sources'> &
  Pick<ServiceInternals, 'lookup' | 'maxQueue'>

/** Creates a service that records its events and log messages. */
export const startService = ({ lookup, maxQueue, ...options }: TestOptions) => {
  const events: ImageServiceEvent[] = []
  const logged: { message: string; detail: Record<string, unknown> }[] = []
  const log = (message: string, detail: Record<string, unknown>) => void logged.push({ message, detail })
  const onEvent = (event: ImageServiceEvent) => void events.push(event)
  const handler = createServiceWith({ keys: [signingKey], log, ...defaults, ...options }, { lookup, maxQueue, onEvent })
  return {
    handler,
    events,
    logged,
    count: (type: ImageServiceEvent['type']) => events.filter((event) => event.type === type).length,
    get: (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      handler(new Request(url, { headers, ...init })),
  }
}

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

export const avif = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
export const webp = { accept: 'image/webp,*/*' }
