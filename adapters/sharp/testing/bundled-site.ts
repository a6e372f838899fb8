// A site to bundle into one file: renders one image, and prints where. Arguments: the folder of `photo.jpg`,
// `workerFile`.
import { createImages } from '../../../core/image/index.js'
import { sharpService } from '../service.js'
import { descendants } from './processes.js'

const [, , folder = '', workerFile] = process.argv

async function main() {
  const logged: unknown[] = []
  const service = sharpService({ workerFile, log: (...message) => logged.push(message) })
  const { handler, loader } = createImages({ sources: { '/': folder }, service, log: () => {} })
  const response = await handler(new Request(`http://site.test${loader({ src: '/photo.jpg', width: 64 })}`))
  const processes = (await descendants(process.pid)).length
  process.stdout.write(JSON.stringify({ status: response?.status, processes, logged }))
}

void main()
