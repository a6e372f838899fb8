// Purges until it is killed. Prints a line for each acknowledged purge: a tag, and the stamp from before the purge.
// Arguments: directory, name of the process, `maxBytes` of the index, '' for the default.
import { diskTagIndex } from '../index.js'

const [, , directory = '', name = '', maxBytes = ''] = process.argv
const index = diskTagIndex({ directory, maxBytes: maxBytes ? Number(maxBytes) : undefined, log: () => {} })
for (let round = 0; ; round++) {
  const stampBefore = await index.stamp()
  const tags = Array.from({ length: 1 + (round % 300) }, (_, number) => `${name} ${number}`)
  // All of these purges share one update of the file.
  const otherPurges = [index.purge([`${name} before`], 'hard'), index.purge([`${name} with`], 'soft')]
  await index.purge(tags, round % 2 ? 'soft' : 'hard')
  process.stdout.write(`${JSON.stringify({ tag: tags.at(-1), before: stampBefore })}\n`)
  await Promise.all(otherPurges)
}
