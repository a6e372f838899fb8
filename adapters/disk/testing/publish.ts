// A site that publishes until it is killed: each version is purged, then rendered and stored. Prints each version whose
// purge was acknowledged. Arguments: directory, name of the process, first version.
import { createResponseCache } from '../../../core/cache/index.js'
import { diskStore, diskTagIndex } from '../index.js'

const [, , directory = '', name = '', firstVersion = ''] = process.argv
const store = diskStore({ directory, maxBytes: 64 * 1024 * 1024 })
const pages = createResponseCache({ store, tagIndex: diskTagIndex({ directory }) })
let version = Number(firstVersion)
const render = pages.wrap(
  async () =>
    new Response(`${version}`.padEnd(100_000), {
      headers: { 'Cache-Control': 's-maxage=600', 'Cache-Tag': name, 'Content-Type': 'text/plain' },
    }),
)
for (;;) {
  const responses = [1, 2, 3].map((page) => render(new Request(`https://site.test/${name}/${page}`)))
  await Promise.all(responses.map(async (response) => (await response).text()))
  version++
  await pages.invalidate([name])
  process.stdout.write(`${version}\n`)
}
