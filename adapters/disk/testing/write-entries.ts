// Writes cache entries until it is killed. Arguments: directory, name of the writer.
import { diskStore } from '../index.js'
import { entryOf } from './entries.js'

const [, , directory = '', writer = ''] = process.argv
const store = diskStore({ directory, maxBytes: 64 * 1024 * 1024 })
process.stdout.write('ready')
for (let round = 0; ; round++) {
  // A few keys over and over: overwriting is where a reader could meet half of one and half of the other.
  await Promise.all([0, 1, 2, 3].map((key) => store.set(`key ${key}`, entryOf(`${writer} ${round} ${key}`))))
}
