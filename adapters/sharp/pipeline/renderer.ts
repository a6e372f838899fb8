import { setImmediate } from 'node:timers/promises'
import type { ProcessingOptions } from '../../../core/image/internal.js'
import { untilAborted } from '../../../core/timeout.js'
import type { OnEvent } from '../events.js'
import type { Original, OriginalSource } from '../sources/original-source.js'
import type { ModernFormat } from '../transforms/formats.js'
import { checkType } from '../transforms/inspect.js'
import type { RenderSettings, RunTask, Stage } from '../transforms/render-image.js'
import { digestOriginal } from './etag.js'
import type { FailedImages } from './failed-images.js'
import type { EncodedImage, ImageCache, Purgeable } from './image-cache.js'
import { attemptOf, sharedAttemptOf, variantOf } from './image-names.js'
import type { OriginLimit } from './origin-limiter.js'
import type { Place } from './revocable-calls.js'
import { createSharedLoads } from './shared-loads.js'

/** Which image to render. */
export interface RenderJob {
  /** As the site wrote it; for events only. */
  source: string
  original: OriginalSource
  /** Of the original, as it was when the request came. */
  version: string
  /** `undefined` for a file. */
  purgeable: Purgeable | undefined
  options: ProcessingOptions
  accepted: readonly ModernFormat[]
}

/** What identifies an image, known as soon as its original was read. */
export interface ImageIdentity {
  etag: string
  originalDigest: string
  version: string | undefined
}

export interface RendererOptions {
  cache: ImageCache
  failed: FailedImages
  run: RunTask
  settings: RenderSettings
  /** Each returns the limit of an origin or folder. */
  limits: Readonly<Record<Stage, (origin: string) => OriginLimit>>
  /** Of light images of origins that send slow ones, which leave places to others. */
  limitSlowOrigin: (origin: string) => OriginLimit
  limitFetch: (origin: string) => OriginLimit
  /** Of files, in place of fetches. */
  limitRead: (folder: string) => OriginLimit
  onEvent: OnEvent
}

/** Renders an image. Calls `onIdentified` before it starts to decode, and asks whether its clients have left. */
export type ImageRenderer = (
  job: RenderJob,
  signal: AbortSignal,
  onIdentified: (identity: ImageIdentity) => void,
  isAbandoned: () => boolean,
) => Promise<EncodedImage>

/**
 * Creates a function that reads an original, reports the identity of the image, and renders it unless the signal has
 * aborted by then.
 *
 * The limits bound memory: an original is fetched or read inside a limit of its own, and holds its place there until its light
 * stage has ended, so that slow origins delay other fetches only, and slow file systems other reads. What takes much memory or time leaves its place and waits for one of the next stage, so that it delays only
 * what is there; and so do all images of its original from then on. An origin that waits for its first light place soon gets
 * that of the longest light image of another, which goes on to the next stage; so does one that waits for a heavy place. Remote origins
 * that send slow originals have no heavy place. Each limit divides its places among the origins; the files of each folder are one.
 */
export function createRenderer(renderer: RendererOptions): ImageRenderer {
  const { failed, limits, limitSlowOrigin, limitFetch, limitRead } = renderer
  const shareLoad = createSharedLoads<LoadedOriginal>()
  const limitLight = (group: string): OriginLimit => {
    const limit = limits.light(group)
    if (!failed.isSlowOrigin(group)) return limit
    return (work, signal) => limitSlowOrigin(group)(() => limit(work, signal), signal)
  }

  const render: ImageRenderer = async (job, signal, onIdentified, isAbandoned) => {
    const { origin, group } = job.original
    const isFile = origin === undefined
    let original: LoadedOriginal | undefined
    let digest = ''
    let size = 0
    // Changes while it waits: another image of the original may be too slow.
    const isFor = (stage: Stage) => mayRender(failed, digest, size, stage)
    /** `undefined` when its place was given to another origin: from then on it is for the next stage. */
    const unlessRevoked = (stage: Stage, place: Pick<Place, 'signal'>, work: Promise<EncodedImage | undefined>) =>
      work.catch((error) => {
        if (signal.aborted || !place.signal.aborted) throw error
        failed.addSlow({ digest, origin }, stage)
        return undefined
      })
    const renderLoaded = async (loaded: LoadedOriginal) => {
      onIdentified(identify(renderer, job, loaded))
      await setImmediate() // lets callers leave for whom the identity is enough
      signal.throwIfAborted()
      digest = loaded.digest
      size = loaded.bytes.length
      const renderLight = (place: Pick<Place, 'signal'>) =>
        unlessRevoked('light', place, findOrRender(renderer, loaded, job, place.signal, 'light'))
      const image = await (isFor('light') ? limitLight(group)(renderLight, signal) : renderLight({ signal }))
      // A file is read again, so that it takes no memory while it waits.
      if (!image && !isFile) original = loaded
      return image
    }
    const limit = (isFile ? limitRead : limitFetch)(group)
    const loading = { limit, load: (signal: AbortSignal) => load(renderer, job, signal) }
    const light = await shareLoad(sharedAttemptOf(job), loading, renderLoaded, signal)
    if (light) return light

    const renderAlone = async (stage: Stage, place: Place) => {
      const loaded = original ?? (await load(renderer, job, place.signal))
      return await unlessRevoked(stage, place, findOrRender(renderer, loaded, job, place.signal, stage))
    }
    const waiting = { bytes: original?.bytes.length, isAbandoned }
    const mayBeHeavy = () => isFor('heavy') && !failed.isSlowOrigin(origin)
    const renderHeavy = async (place: Place) => (mayBeHeavy() ? await renderAlone('heavy', place) : undefined)
    const heavy = mayBeHeavy() ? await limits.heavy(group)(renderHeavy, signal, waiting) : undefined
    const renderSecond = (place: Place) => renderAlone('second', place)
    return heavy ?? ((await limits.second(group)(renderSecond, signal, waiting)) as EncodedImage)
  }
  return async (job, ...until) => {
    const version = attemptOf(job)
    const variant = variantOf(job.options, job.accepted)
    failed.check(version, variant)
    try {
      return await render(job, ...until)
    } catch (error) {
      failed.addRejection(version, variant, error)
      throw error
    }
  }
}

/** An original in memory. */
interface LoadedOriginal extends Original {
  digest: string
}

async function load({ onEvent }: RendererOptions, job: RenderJob, signal: AbortSignal): Promise<LoadedOriginal> {
  // A file system that hangs cannot be told to stop.
  const { bytes, version } = await untilAborted(job.original.read(signal), signal)
  onEvent({ type: 'load', source: job.source, bytes: bytes.length })
  checkType(bytes)
  return { bytes, version, digest: await digestOriginal(bytes) }
}

function identify({ cache }: RendererOptions, { options, accepted }: RenderJob, loaded: LoadedOriginal): ImageIdentity {
  const { digest, version } = loaded
  return { etag: cache.etagOf(digest, variantOf(options, accepted)), originalDigest: digest, version }
}

const stages: readonly Stage[] = ['light', 'heavy', 'second']
// To send 50 MB to a process, most of them no pixels, takes longer than a small image, and twice as much memory.
const maxLightBytes = 25_000_000

function mayRender(failed: FailedImages, digest: string, size: number, stage: Stage): boolean {
  if (stage === 'light' && size > maxLightBytes) return false
  return stages.indexOf(failed.stageOf(digest)) <= stages.indexOf(stage)
}

/** Returns `undefined` for an image that is for a later stage. */
async function findOrRender(
  renderer: RendererOptions,
  loaded: LoadedOriginal,
  job: RenderJob,
  signal: AbortSignal,
  stage: Stage,
): Promise<EncodedImage | undefined> {
  const { cache, failed, run, settings, onEvent } = renderer
  const { bytes } = loaded
  const { etag, originalDigest, version } = identify(renderer, job, loaded)
  const { source, options, accepted, purgeable } = job
  // The same content may be cached already, from another path or an earlier version.
  let image = await cache.getImage(etag)
  if (image) onEvent({ type: 'hit', source })
  else {
    const variant = variantOf(options, accepted)
    failed.check(originalDigest, variant)
    if (!mayRender(failed, originalDigest, bytes.length, stage)) return undefined
    const task = { ...settings, original: bytes, options, accepted, allowHeavy: stage !== 'light' }
    const rendered = await run(task, stage, signal).catch((error) => {
      failed.add({ digest: originalDigest, version: version && attemptOf({ version, purgeable }) }, variant, error)
      throw error
    })
    if (rendered === 'slow') failed.addSlow({ digest: originalDigest, origin: job.original.origin }, stage)
    if (rendered === 'slow' || rendered === 'heavy') return undefined
    const { format, body, milliseconds } = rendered
    onEvent({ type: 'transform', source, format, bytes: body.length, milliseconds })
    image = { etag, type: `image/${format}`, body }
    cache.setImage(image)
  }
  if (version !== undefined) cache.setDigest(version, originalDigest, purgeable)
  return image
}
