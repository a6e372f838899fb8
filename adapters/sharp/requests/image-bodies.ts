import type { MaybePromise } from '../../../core/async.js'
import type { EncodedImage } from '../pipeline/image-cache.js'

const defaultMaxBytes = 64 * 1024 * 1024
const pieceBytes = 64 * 1024
const stallTime = 2_000 // milliseconds

/** Returns the body of an image for one client. `onError` is called when it fails while the client reads. */
export type OpenImageBody = (
  image: EncodedImage,
  onError?: (error: unknown) => void,
) => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Creates the function that streams images to clients. What is held for clients that read nothing for two seconds is
 * bounded: beyond it their images are given up, and loaded again once they read on. A body whose image is no longer stored
 * by then fails.
 *
 * @param load Loads an image by its entity tag.
 * @param maxBytes Bytes that the images in transfer may take together, unless all of them are being read. Default 64 MiB.
 */
export function createImageBodies(
  load: (etag: string) => MaybePromise<EncodedImage | undefined>,
  maxBytes = defaultMaxBytes,
): OpenImageBody {
  // By the function that gives an image up; the one that was read longest ago first.
  const held = new Map<() => void, { bytes: number; lastRead: number }>()
  let heldBytes = 0

  const release = (giveUp: () => void) => {
    heldBytes -= held.get(giveUp)?.bytes ?? 0
    held.delete(giveUp)
  }
  const hold = (giveUp: () => void, bytes: number) => {
    const now = performance.now()
    release(giveUp)
    held.set(giveUp, { bytes, lastRead: now })
    heldBytes += bytes
    for (const [giveUpStalled, { lastRead }] of held) {
      if (heldBytes <= maxBytes || now - lastRead < stallTime) break
      release(giveUpStalled)
      giveUpStalled()
    }
  }

  return ({ etag, body: whole }, onError) => {
    const { length } = whole
    // The buffers of the operating system take as much, also of a client that reads nothing.
    if (length <= pieceBytes) return whole
    let body: Uint8Array<ArrayBuffer> | undefined = whole
    let offset = 0
    let isOver = false
    const giveUp = () => {
      body = undefined
    }
    const end = () => {
      isOver = true
      release(giveUp)
      giveUp()
    }
    const read = async () => {
      body ??= (await load(etag))?.body
      if (isOver) throw new Error('the client has disconnected')
      if (!body) throw new Error('the client read slowly, and the image is no longer stored')
      hold(giveUp, length)
      // A copy: a view would keep the whole image for as long as it waits to be sent.
      const piece = body.slice(offset, offset + pieceBytes)
      offset += pieceBytes
      if (offset >= length) end()
      return piece
    }
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          try {
            controller.enqueue(await read())
            if (offset >= length) controller.close()
          } catch (error) {
            if (!isOver) onError?.(error)
            throw error
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }
}
