// Collected tags: the processor time of a page that reads 100 entries, without and with them.
import { compareCpu } from './cpu.js'
import { start } from './start.js'

export async function benchContent() {
  const serve = (server, env) => start('node', ['servers/content.js'], { SERVER: server, ...env })
  const cms = await serve('cms')
  // The sources of the real CMSs are all in one server.
  const names = ['plain', 'context', 'tagged', 'sources']
  const servers = await Promise.all(names.map((name) => serve(name, { CMS: cms.origin })))
  const at = (path, contenders = names.slice(0, 3)) =>
    contenders.map((name) => {
      const { pid, origin } = servers[names.indexOf(name)]
      return { name, pid, url: origin + path }
    })
  try {
    await compareCpu('A page of 100 entries, in one answer', at('/list'), { requests: 1000, connections: 8 })
    for (const cms of ['contentful', 'directus', 'strapi', 'wordpress']) {
      await compareCpu(`An answer of ${cms}`, at(`/${cms}`, ['plain', 'sources']), { requests: 1000, connections: 8 })
    }
    await compareCpu('The same, in 100 answers', at('/each'), { requests: 100, connections: 4 })
  } finally {
    await Promise.all([cms, ...servers].map(({ close }) => close()))
  }
}
