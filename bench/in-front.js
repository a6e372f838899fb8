// The cache in front of an Express app: a hit, a signed-in visitor, and a page that cannot be stored.
import { compareCpu } from './cpu.js'
import { request, start } from './start.js'

const names = ['plain Express', 'createServer(inFrontOf(cache, app))', 'server.use(inFrontOf(cache, app))']

export async function benchInFront() {
  const servers = await Promise.all(names.map((SERVER) => start('node', ['servers/in-front.js'], { SERVER })))
  const at = (path, headers) =>
    names.map((name, index) => ({ name, pid: servers[index].pid, url: `${servers[index].origin}${path}`, headers }))
  try {
    // The first visit makes the page known, the second one stores it.
    for (const { url } of at('/page')) for (let visit = 0; visit < 2; visit++) await request(url, {})
    await compareCpu('In front of an app: a hit', at('/page'))
    await compareCpu('In front of an app: a signed-in visitor', at('/page', { cookie: 'session=1' }))
    await compareCpu('In front of an app: a page that is not stored', at('/own'))
  } finally {
    await Promise.all(servers.map(({ close }) => close()))
  }
}
