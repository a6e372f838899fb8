// A site that renders one small image, and then further images on command. Argument: the program of the image
// processes.
import { startTransformProcess } from '../isolation/transform-process.js'
import { photograph } from './originals.js'
import { manyScansJpeg } from './slow-jpeg.js'

const worker = await startTransformProcess(process.argv[2] as string)
const render = (original: Uint8Array, isRefined = false) =>
  worker.run(
    {
      original,
      maxMemory: 4 * 1024 ** 3,
      box: { width: 64, height: 0, gravity: undefined },
      accepted: [],
      quality: undefined,
      maxPixels: 50_000_000,
      maxAvifPixels: 50_000_000,
      svg: false,
      isRefined,
    },
    600_000,
  )

await render(photograph)
async function decodeForever(isRefined: boolean) {
  for (;;) await render(slow, isRefined)
}
const slow = manyScansJpeg(7000, 7000, 100)
process.on('message', (what) => {
  if (what === 'leave') return process.disconnect()
  void decodeForever(what === 'refine')
  setTimeout(() => process.send?.('decoding'), 500)
})
process.send?.('ready')
