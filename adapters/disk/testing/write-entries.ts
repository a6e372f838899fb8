// Writes cache entries until it is killed. Arguments: directory, name of the writer.
import { diskStore } from '../index.js'
import { entryOf } from './entries.js'

const [, , directory = '', writer = ''] = process.argv
const store = diskStore({ directory, maxBytes: 64 * 1024 * 1024 })
process.stdout.write('ready')
for (let round = 0; ; round++) {
  // The same few keys again and again: during an overwrite, a reader could see a mixture of two entries.
  await Promise.all([0, 1, 2, 3].map((key) => store.set(`key ${key}`, entryOf(`${writer} ${round} ${key}`))))
}
