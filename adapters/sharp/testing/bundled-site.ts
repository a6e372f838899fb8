// A site to bundle into one file: renders one image, and prints where. Arguments: the folder of `photo.jpg`,
// `workerFile`.
import { createSigner } from '../../../core/image/sign.js'
import { encodeSource } from '../../../core/image/url.js'
import { createImageService } from '../service.js'
import { descendants } from './processes.js'

const [, , folder = '', workerFile] = process.argv
const key = { key: '00', salt: '00' }

async function main() {
  const logged: unknown[] = []
  const service = createImageService({
    keys: [key],
    sources: { '/': folder },
    workerFile,
    log: (...message) => logged.push(message),
  })
  const path = `/w:64/${encodeSource('/photo.jpg')}`
  const { status } = await service(new Request(`http://images.invalid/${createSigner(key)(path)}${path}`))
  const processes = (await descendants(process.pid)).length
  process.stdout.write(JSON.stringify({ status, processes, logged }))
}

void main()
